// Command empty does nothing: what it costs is what starting any program costs.
package main

func main() {}

//go:build !windows

package main

var scenes = []scene{
	{
		name: "inspector", title: "The inspector: a call, its answer, and its verdict", w: 120, h: 36,
		args:  []string{"demo", "--fault", "output-invalid", "--fault", "input-schema-gone"},
		steps: []step{{"get_weather", []string{"enter"}}, {"location", []string{"Bergen", "ctrl+s"}}, {"resultType", nil}},
	},
}

package app

import (
	"context"

	"mcploupe/session"
)

func (f *fake) Follow(ctx context.Context, o session.FollowOptions) (session.Answer, error) {
	f.note("follow %s %s resume=%v", o.Task.ID, o.Tool, o.Resume)
	if f.follow == nil {
		<-ctx.Done()
		return session.Answer{}, &session.TaskLeft{ID: o.Task.ID, Text: "it was interrupted", Err: ctx.Err()}
	}
	return f.follow(ctx, o)
}
func (f *fake) PollTask(id string) bool { f.note("poll %s", id); return true }
func (f *fake) CancelTask(_ context.Context, id string, _ session.CallOptions) (session.Answer, error) {
	return f.reply(f.note("end %s", id))
}
func (f *fake) DeclareTasks(on bool) { f.note("declare tasks %v", on); f.tasks = on }
func (f *fake) DeclaresTasks() bool  { return f.tasks }

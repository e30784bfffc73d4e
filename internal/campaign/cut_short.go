// Tasks that reach their time limit.

package campaign

import (
	"fmt"
	"strings"
)

// cutShort holds the tasks that reached their time limit, per kernel, in the order of the first such task.
type cutShort []*cutStudy

// cutStudy holds these tasks of one kernel under one detector, or of its static analysis.
type cutStudy struct {
	what     string
	why      string
	tasks    int
	finished int // schedules
	planned  int // schedules, 0 for a static analysis
}

// add adds the result of a task that reached its time limit.
func (c *cutShort) add(t *Task, r *Result) {
	what := t.Subject.Name() + " under " + t.Detector
	if t.Strategy == proving {
		what = t.String()
	}
	s := c.find(what)
	s.why = r.Ended
	s.tasks++
	s.finished += r.Schedules
	s.planned += t.Count
}

func (c *cutShort) find(what string) *cutStudy {
	for _, s := range *c {
		if s.what == what {
			return s
		}
	}
	s := &cutStudy{what: what}
	*c = append(*c, s)
	return s
}

// notes returns notes for the report, one for each kernel under a detector and for each static analysis.
func (c cutShort) notes() (list []string) {
	for _, s := range c {
		if s.planned == 0 {
			list = append(list, fmt.Sprintf("%s came to no end: %s", s.what, s.why))
			continue
		}
		tasks := fmt.Sprintf("%d tasks", s.tasks)
		if s.tasks == 1 {
			tasks = strings.TrimSuffix(tasks, "s")
		}
		list = append(list, fmt.Sprintf("%s: %s ended after %d of %d schedules: %s", s.what, tasks, s.finished,
			s.planned, s.why))
	}
	return list
}

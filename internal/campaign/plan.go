// Package campaign explores many kernels. It reads a plan, divides the work into tasks that any machine can run,
// decides round by round which kernels get more schedules, and makes one report of all results.
//
// A [Plan] names kernels, detectors and strategies. [Open] reads their files and checks them. A [Campaign] passes
// rounds of [Task]s to an [Engine] and processes their [Result]s in the order of the tasks, whatever the order of
// execution: the report depends only on the plan and its seed. [Local] is the engine that runs tasks one after the
// other in this process; internal/campaign/jetstream is the one for many processes and machines. An [Executor] runs a
// task.
//
// The package must know neither command lines nor networks.
package campaign

import "time"

// Plan is the contents of a plan file. docs/campaigns.md explains its keys.
type Plan struct {
	Name       string // of the campaign
	File       string // the plan file
	Kernels    []Kernels
	Detectors  []string // each in the syntax of session.ParseDetectors
	Strategies []string // of Strategies
	Schedules  int      // per kernel and detector, on average; 0 for DefaultSchedules, or any number until Budget.Time
	Budget     Budget
	Seed       uint64
	Prove      bool // kernels that the static analysis proves free of races get no schedules
	Task       TaskLimits
	Replays    []Replay // run before anything else
}

// Kernels is an entry of the plan: modules and their launches. One of PTX, App and Saved is set.
type Kernels struct {
	Pos
	PTX    string // file or glob
	App    string // program with PTX inside
	Saved  string // folder of saved launches, each a folder with kernel.ptx and launch.yaml
	Launch []string
	Arch   string // of an App: only PTX for this target
}

// Budget limits a campaign.
type Budget struct {
	Schedules int           // of all kernels together, 0 to use Plan.Schedules for each
	Quiet     int           // schedules in a row without new results after which a kernel gets no more; 0 for no limit
	Time      time.Duration // 0 for no limit
}

// TaskLimits limits one task.
type TaskLimits struct {
	Schedules int           // maximum per task
	Time      time.Duration // after which an attempt is ended
	Memory    uint64        // of the emulated device, 0 for the default
	Steps     uint64        // of a launch, 0 for the default
}

// Replay is a run to repeat: a kernel of the plan, a detector, and a run in the syntax of ParseRun.
type Replay struct {
	Pos      `yaml:"-"`
	Finding  string `yaml:"finding,omitempty"` // the finding that it has shown, for people
	PTX      string `yaml:"ptx"`
	Launch   string `yaml:"launch"`
	Detector string `yaml:"detector"`
	Run      string `yaml:"run"`
}

// Defaults of a plan.
const (
	DefaultSchedules     = 200
	DefaultQuiet         = 50
	DefaultTaskSchedules = 16
	DefaultTaskTime      = 10 * time.Minute
)

// Limits on plans.
const (
	MaxPlanBytes = 16 << 20
	MaxSubjects  = 1 << 20
)

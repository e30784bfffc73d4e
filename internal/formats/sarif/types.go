// The objects of SARIF 2.1.0 (sections 3.13 to 3.58 of the standard) that logs of ptxsan have, with the properties that
// they use.

package sarif

import "github.com/ptxsan/ptxsan/runtime/report"

const (
	schemaURI = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json"
	version   = "2.1.0"
)

// Levels of results (section 3.27.10).
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

type sarifLog struct {
	Schema  string    `json:"$schema"`
	Version string    `json:"version"`
	Runs    []*logRun `json:"runs"`
}

type logRun struct {
	Tool        tool         `json:"tool"`
	ColumnKind  string       `json:"columnKind"`
	Invocations []invocation `json:"invocations"`
	Results     []*result    `json:"results"`
	Properties  *properties  `json:"properties,omitempty"`
}

// properties is a property bag (section 3.8): what the verdict holds for, as in reports in JSON.
type properties struct {
	Holds   *report.Holds     `json:"holds,omitempty"`
	Claims  []*report.Claim   `json:"claims,omitempty"`
	Depends []*report.Depends `json:"depends,omitempty"`
}

type tool struct {
	Driver *driver `json:"driver"`
}

type driver struct {
	Name    string        `json:"name"`
	Version string        `json:"version,omitempty"`
	Rules   []*descriptor `json:"rules"`
}

// descriptor describes a rule (reportingDescriptor).
type descriptor struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Short   message       `json:"shortDescription"`
	Full    message       `json:"fullDescription"`
	HelpURI string        `json:"helpUri,omitempty"`
	Help    message       `json:"help"`
	Default configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level string `json:"level"`
}

type message struct {
	Text string `json:"text"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

type result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             message           `json:"message"`
	Locations           []*location       `json:"locations"`
	RelatedLocations    []*location       `json:"relatedLocations,omitempty"`
	CodeFlows           []codeFlow        `json:"codeFlows,omitempty"`
	Fingerprints        map[string]string `json:"fingerprints,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
	OccurrenceCount     int               `json:"occurrenceCount,omitempty"`
	BaselineState       string            `json:"baselineState,omitempty"`
	Suppressions        []suppression     `json:"suppressions,omitempty"`
	Fixes               []*change         `json:"fixes,omitempty"`
}

type location struct {
	ID       int               `json:"id,omitempty"`
	Message  *message          `json:"message,omitempty"`
	Physical *physicalLocation `json:"physicalLocation,omitempty"`
	Logical  []logicalLocation `json:"logicalLocations,omitempty"`
}

type physicalLocation struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI string `json:"uri"`
}

// region has lines and columns from 1 on; EndColumn is behind the last one.
type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type logicalLocation struct {
	Name      string `json:"name"`
	Decorated string `json:"decoratedName"`
	Kind      string `json:"kind"`
}

type codeFlow struct {
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	ID        string         `json:"id"`
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Order    int       `json:"executionOrder"`
	Location *location `json:"location"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// change is a fix of a result.
type change struct {
	Description message          `json:"description"`
	Artifacts   []artifactChange `json:"artifactChanges"`
}

type artifactChange struct {
	Location     artifact      `json:"artifactLocation"`
	Replacements []replacement `json:"replacements"`
}

type replacement struct {
	Deleted  region  `json:"deletedRegion"`
	Inserted message `json:"insertedContent"`
}

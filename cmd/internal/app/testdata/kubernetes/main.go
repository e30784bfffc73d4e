// A program that reads a Job of Kubernetes from its standard input, as strictly as the API server does: a field that does not
// exist, a value of another type, or a name or policy that is not allowed is an error. It is a separate module, so that ptxsan
// does not depend on Kubernetes' types.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(text []byte) error {
	var job batch.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		return err
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" {
		return fmt.Errorf("expected a Job of batch/v1, found %s of %s", job.Kind, job.APIVersion)
	}
	errs := []error{allowed("metadata.name", validation.IsDNS1123Subdomain(job.Name))}
	pod := &job.Spec.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyOnFailure && pod.RestartPolicy != core.RestartPolicyNever {
		errs = append(errs, fmt.Errorf("restartPolicy: expected OnFailure or Never, found %q", pod.RestartPolicy))
	}
	if len(pod.Containers) == 0 {
		errs = append(errs, errors.New("containers: expected one"))
	}
	for _, c := range pod.Containers {
		errs = append(errs, allowed("name of a container", validation.IsDNS1123Label(c.Name)))
		if c.Image == "" {
			errs = append(errs, fmt.Errorf("container %s: expected an image", c.Name))
		}
		for _, e := range c.Env {
			errs = append(errs, allowed("name of a variable", validation.IsEnvVarName(e.Name)))
		}
	}
	return errors.Join(errs...)
}

func allowed(what string, wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", what, strings.Join(wrong, "; "))
}

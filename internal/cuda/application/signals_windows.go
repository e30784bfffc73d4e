// The signals that are passed on to an application.

package application

import "os"

var passed = []os.Signal{os.Interrupt}

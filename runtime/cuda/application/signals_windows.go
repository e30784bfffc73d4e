// The signals that an application is passed.

package application

import "os"

var passed = []os.Signal{os.Interrupt}

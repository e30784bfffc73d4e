// The compressed text form of a schedule.

package schedule

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// textPrefix begins the text form and names its version.
const textPrefix = "ptxsan-schedule-1:"

// IsSchedule reports whether text looks like the text form of a schedule.
func IsSchedule(text string) bool { return strings.HasPrefix(text, textPrefix) }

// MarshalText implements encoding.TextMarshaler.
func (s *Schedule) MarshalText() ([]byte, error) {
	var raw bytes.Buffer
	raw.Write(s.Program[:])
	partial := byte(0)
	if s.Partial {
		partial = 1
	}
	raw.Write([]byte{byte(s.Policy), partial})
	for _, c := range s.Launches {
		for _, part := range [][]byte{[]byte(c.Shape), binary.AppendUvarint(nil, uint64(c.turns)), c.log} {
			raw.Write(binary.AppendUvarint(nil, uint64(len(part))))
			raw.Write(part)
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(raw.Bytes()); err == nil {
		err = w.Close()
	}
	return base64.RawURLEncoding.AppendEncode([]byte(textPrefix), packed.Bytes()), err
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Schedule) UnmarshalText(text []byte) error {
	body, ok := strings.CutPrefix(strings.TrimSpace(string(text)), textPrefix)
	if !ok {
		return fmt.Errorf("not a schedule: it does not begin with %s", textPrefix)
	}
	packed, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return errMalformed
	}
	rest := bytes.NewReader(packed)
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(rest), maxLog+1))
	if err != nil || rest.Len() > 0 || len(raw) < 10 || len(raw) > maxLog || raw[8] > byte(lastPolicy) || raw[9] > 1 {
		return errMalformed
	}
	out := Schedule{Policy: Policy(raw[8]), Partial: raw[9] == 1}
	copy(out.Program[:], raw)
	for raw = raw[10:]; len(raw) > 0; {
		var parts [3][]byte
		for i := range parts {
			size, n := binary.Uvarint(raw)
			if n <= 0 || size > uint64(len(raw)-n) {
				return errMalformed
			}
			parts[i], raw = raw[n:n+int(size)], raw[n+int(size):]
		}
		turns, n := binary.Uvarint(parts[1])
		if n <= 0 || turns > maxLog {
			return errMalformed
		}
		out.Launches = append(out.Launches, &Log{Shape: string(parts[0]), turns: int(turns), log: parts[2]})
	}
	*s = out
	return nil
}

// Compression of entries: LZ4, Zstandard, zlib.

package fatbin

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxRatio is the largest ratio of decoded to compressed bytes: 255 in an LZ4 block, about 1032 in deflate. Zstandard
// has no small bound; its decoder stops at the declared size, and a buffer grows with the data.
const maxRatio = 1032

// decompress decodes data to exactly size bytes.
func decompress(c Compression, data []byte, size int) (out []byte, err error) {
	switch c {
	case Uncompressed:
		return data, nil
	case LZ4:
		out, err = decodeLZ4(data, size)
	case Zstd:
		out, err = decodeZstd(data, size)
	case Zlib:
		var r io.ReadCloser
		if r, err = zlib.NewReader(bytes.NewReader(data)); err == nil {
			out, err = readLimited(r, size)
		}
	}
	if err == nil && len(out) != size {
		err = fmt.Errorf("decodes to %d bytes; expected %d", len(out), size)
	}
	return out, err
}

func decodeLZ4(data []byte, size int) ([]byte, error) {
	if size/maxRatio > len(data) {
		return nil, fmt.Errorf("cannot decode to %d bytes", size)
	}
	out := make([]byte, size)
	n, err := lz4.UncompressBlock(data, out)
	if err != nil {
		return nil, errors.New("not an LZ4 block of that size")
	}
	return out[:n], nil
}

func decodeZstd(data []byte, size int) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxDecoded), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readLimited(r, size)
}

// readLimited reads size bytes, and one more to detect excess data.
func readLimited(r io.Reader, size int) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, int64(size)+1))
}

// compress encodes data and returns the compression used: data that LZ4 does not shrink stays uncompressed.
func compress(c Compression, data []byte) ([]byte, Compression) {
	switch c {
	case LZ4:
		out := make([]byte, lz4.CompressBlockBound(len(data)))
		n, err := lz4.CompressBlockHC(data, out, lz4.Level9, nil, nil)
		if err != nil || n == 0 {
			return data, Uncompressed
		}
		return out[:n], LZ4
	case Zstd:
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic("BUG: options of zstd: " + err.Error())
		}
		return w.EncodeAll(data, nil), Zstd
	case Zlib:
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		if _, err := w.Write(data); err != nil {
			panic("BUG: writing to memory: " + err.Error())
		}
		if err := w.Close(); err != nil {
			panic("BUG: writing to memory: " + err.Error())
		}
		return b.Bytes(), Zlib
	case Uncompressed:
	}
	return data, Uncompressed
}

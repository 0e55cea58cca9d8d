package accounting

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
)

// keyed is embedded by the releases of this package: Unsupported with their key.
type keyed struct {
	Unsupported
	key string
}

func (k keyed) Key() string { return k.key }

func (keyed) ownKey() {}

// newKeyed returns the base of a release with this name and a key made of kind and parts, numbers in full.
func newKeyed(name, kind string, parts ...any) keyed {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = fmt.Sprint(p)
	}
	return keyed{Unsupported{Label: name}, kind + "(" + strings.Join(words, ",") + ")"}
}

// KeyOf returns the key of a release: entries with equal keys are merged. For a release of another package
// the key also contains its type and every field, because a type that embeds a Release inherits that
// release's key even if it overrides its methods. One that holds a function is never merged: what two functions
// answer cannot be compared.
func KeyOf(r Release) string {
	if _, own := r.(interface{ ownKey() }); own {
		return r.Key()
	}
	var fields strings.Builder
	v := reflect.ValueOf(r)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	writeFields(&fields, v)
	return r.Key() + " " + fields.String()
}

// functions counts the functions that were met in releases of other packages.
var functions atomic.Int64

// writeFields writes a value with its type so that different values are written differently, whatever methods they
// have. What a pointer, a map or a channel refers to is written as its address.
func writeFields(b *strings.Builder, v reflect.Value) {
	if !v.IsValid() {
		b.WriteString("nil")
		return
	}
	fmt.Fprintf(b, "%s.%s(", v.Type().PkgPath(), v.Type())
	defer b.WriteByte(')')
	if v.CanInterface() {
		if r, own := v.Interface().(interface {
			Release
			ownKey()
		}); own {
			b.WriteString(r.Key())
			return
		}
	}
	list := func(n int, at func(int) reflect.Value) {
		for i := range n {
			writeFields(b, at(i))
			b.WriteByte(',')
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		list(v.NumField(), v.Field)
	case reflect.Array, reflect.Slice:
		list(v.Len(), v.Index)
	case reflect.Interface:
		writeFields(b, v.Elem())
	case reflect.Func:
		if !v.IsNil() {
			fmt.Fprint(b, functions.Add(1))
		}
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(b, "%#x", v.Pointer())
	case reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case reflect.Bool:
		fmt.Fprint(b, v.Bool())
	case reflect.Float32, reflect.Float64:
		fmt.Fprint(b, v.Float())
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprint(b, v.Complex())
	default:
		if v.CanInt() {
			fmt.Fprint(b, v.Int())
		} else {
			fmt.Fprint(b, v.Uint())
		}
	}
}

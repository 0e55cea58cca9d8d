package scenarios

import (
	"errors"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
)

// What a row's at points to: *string is text, or one of the choices declared;
// *float64 a number, of an optional field 0 where it is not given; *bool a flag;
// *mechanisms.Also the claim about absence; a param is one of the entry's mechanism.
// The lists are *[]Entry, *[][]Entry and *[]Expectation.

// versionNumber stands for the version of the file, which is not kept.
type versionNumber float64

// valueAt is a field's value and whether it is given; single is false of a list,
// which has no value that a line of text could set.
func valueAt(p mechanisms.Param, at any) (v mechanisms.Value, given, single bool) {
	v.Type, single = p.Type, true
	switch at := at.(type) {
	case *string:
		v.Text, given = *at, *at != "" || !p.Optional
	case *float64:
		v.Number, given = *at, *at != 0 || !p.Optional
	case *bool:
		v.Flag, given = *at, true
	case *mechanisms.Also:
		v.Text, v.Number, given = alsoText(*at), at.Number, at.AddRemove
	case param:
		v, given = at.Values[at.name]
	default:
		single = false
	}
	return v, given, single
}

// sameAt compares two values of one field.
func sameAt(p mechanisms.Param, a, b any) bool {
	switch a := a.(type) {
	case *[]Entry:
		return equalEntries(*a, *b.(*[]Entry))
	case *[][]Entry:
		return slices.EqualFunc(*a, *b.(*[][]Entry), equalEntries)
	case *[]Expectation:
		return slices.Equal(*a, *b.(*[]Expectation))
	}
	x, inA, _ := valueAt(p, a)
	y, inB, _ := valueAt(p, b)
	return inA == inB && equalValues(x, y)
}

// textAt is a single value for people, its default where it is not given.
func textAt(p mechanisms.Param, at any) (text string, single bool) {
	v, given, single := valueAt(p, at)
	switch {
	case given:
		return valueText(p, v), single
	case p.Default.Text != "":
		return p.Default.Text, single
	case p.Required || p.Optional:
		return "", single
	}
	return valueText(p, p.Default), single
}

// setAt reads a value from a line of text.
func setAt(p mechanisms.Param, at any, text string) error {
	switch at := at.(type) {
	case *string:
		if p.Choices != nil {
			text = strings.TrimSpace(text)
		}
		if p.Optional && text == "none" {
			text = ""
		}
		if problem := checkWord(p, text); problem != "" {
			return errors.New(problem)
		}
		*at = text
		return nil
	case *mechanisms.Also:
		claim, err := parseAlso(text)
		return assign(at, claim, err)
	case param:
		p.Name = at.name
		return at.setParam(p, text)
	case *float64:
		if word := p.Default.Text; word != "" && strings.TrimSpace(text) == word {
			*at = 0
			return nil
		}
		x, err := parseNumber(p, text)
		return assign(at, x, err)
	case *bool:
		on, err := parseFlag(p, text)
		return assign(at, on, err)
	}
	return nil
}

// assign keeps what was there if the text could not be read.
func assign[V any](at *V, v V, err error) error {
	if err == nil {
		*at = v
	}
	return err
}

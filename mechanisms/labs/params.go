package labs

import (
	"epsiloscope/mechanisms/param"
)

// number, whole and choice declare parameters with a default.
func number(name, symbol, help string, def, min, max float64) param.Param {
	return param.Param{
		Name: name, Symbol: symbol, Help: help, Type: param.Number, Min: min, Max: max,
		Optional: true, Default: param.NumberValue(def), Initial: param.NumberValue(def), Step: 1.25, Log: min > 0,
	}
}

func whole(name, symbol, help string, def, min, max float64) param.Param {
	p := number(name, symbol, help, def, min, max)
	p.Type = param.Whole
	p.Default, p.Initial = param.WholeValue(def), param.WholeValue(def)
	if !p.Log {
		p.Step = 1
	}
	return p
}

func choice(name, help string, words ...string) param.Param {
	return param.Param{
		Name: name, Symbol: name, Help: help, Type: param.Choice, Choices: words,
		Optional: true, Default: param.ChoiceValue(words[0]), Initial: param.ChoiceValue(words[0]),
	}
}

// epsilonValue is the one-parameter value set most items need.
func epsilonValue(epsilon float64) param.Values {
	return param.Values{"epsilon": param.NumberValue(epsilon)}
}

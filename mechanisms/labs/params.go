package labs

import "epsiloscope/mechanisms"

// number, whole and choice declare parameters with a default.
func number(name, symbol, help string, def, min, max float64) mechanisms.Param {
	return mechanisms.Param{
		Name: name, Symbol: symbol, Help: help, Type: mechanisms.Number, Min: min, Max: max,
		Optional: true, Default: mechanisms.NumberValue(def), Initial: mechanisms.NumberValue(def), Step: 1.25, Log: min > 0,
	}
}

func whole(name, symbol, help string, def, min, max float64) mechanisms.Param {
	p := number(name, symbol, help, def, min, max)
	p.Type = mechanisms.Whole
	p.Default, p.Initial = mechanisms.WholeValue(def), mechanisms.WholeValue(def)
	if !p.Log {
		p.Step = 1
	}
	return p
}

func choice(name, help string, words ...string) mechanisms.Param {
	return mechanisms.Param{
		Name: name, Symbol: name, Help: help, Type: mechanisms.Choice, Choices: words,
		Optional: true, Default: mechanisms.ChoiceValue(words[0]), Initial: mechanisms.ChoiceValue(words[0]),
	}
}

// epsilonValue is the one-parameter value set most items need.
func epsilonValue(epsilon float64) mechanisms.Values {
	return mechanisms.Values{"epsilon": mechanisms.NumberValue(epsilon)}
}

package adaptive

import "epsiloscope/accounting"

// BibTeX is the entry behind a [About.CiteKey].
func BibTeX(key string) string {
	for _, t := range accounting.Methods() {
		if t.CiteKey == key {
			return t.BibTeX
		}
	}
	return entries[key]
}

var entries = map[string]string{
	"RogersRUV16": `@inproceedings{RogersRUV16,
  author    = {Ryan Rogers and Aaron Roth and Jonathan Ullman and Salil Vadhan},
  title     = {Privacy Odometers and Filters: Pay-as-you-Go Composition},
  booktitle = {Advances in Neural Information Processing Systems 29},
  year      = {2016}
}`,
	"WhitehouseRRW23": `@inproceedings{WhitehouseRRW23,
  author    = {Justin Whitehouse and Aaditya Ramdas and Ryan Rogers and Zhiwei Steven Wu},
  title     = {Fully-Adaptive Composition in Differential Privacy},
  booktitle = {Proceedings of the 40th International Conference on Machine Learning},
  year      = {2023}
}`,
	"SmithT22": `@misc{SmithT22,
  author = {Adam Smith and Abhradeep Thakurta},
  title  = {Fully Adaptive Composition for Gaussian Differential Privacy},
  note   = {arXiv 2210.17520},
  year   = {2022}
}`,
	"FeldmanZ21": `@inproceedings{FeldmanZ21,
  author    = {Vitaly Feldman and Tijana Zrnic},
  title     = {Individual Privacy Accounting via a R{\'e}nyi Filter},
  booktitle = {Advances in Neural Information Processing Systems 34},
  year      = {2021}
}`,
}

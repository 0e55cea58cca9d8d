package lectures_test

import (
	"fmt"

	"epsiloscope/teach/lectures"
)

// A deck is a list of topics; each links to the scenario, chart, lab or proof that shows it.
func ExampleDecks() {
	deck := lectures.Decks()[0]
	topic := deck.Topics[0]
	fmt.Println(deck.Key+":", topic.Slides, "→", topic.MainLink())
	// Output: bellet: Reminder: differential privacy → chart:noise
}

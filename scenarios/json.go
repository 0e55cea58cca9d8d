package scenarios

// JSON is the scenario on one line of JSON, which is YAML too: [Parse] reads it back.
func (s *Scenario) JSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.verified([]byte(s.tree().Json()))
}

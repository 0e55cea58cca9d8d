"""A stand-in for the events of dp_accounting; written for the tests of the client."""
from types import SimpleNamespace


class DpEvent:
    pass


def event(name, *fields):
    def make(self, *values, **named):
        self.__dict__.update(dict(zip(fields, values)), **named)

    return type(name, (DpEvent,), {"__init__": make, "__module__": __name__, "__repr__": lambda self: "GaussianDpEvent(noise_multiplier=1000)",
                                   "__attrs_attrs__": [SimpleNamespace(name=f) for f in fields]})


NoOpDpEvent = event("NoOpDpEvent")
NonPrivateDpEvent = event("NonPrivateDpEvent")
UnsupportedDpEvent = event("UnsupportedDpEvent")
GaussianDpEvent = event("GaussianDpEvent", "noise_multiplier")
EpsilonDeltaDpEvent = event("EpsilonDeltaDpEvent", "epsilon", "delta")
PoissonSampledDpEvent = event("PoissonSampledDpEvent", "sampling_probability", "event")
SelfComposedDpEvent = event("SelfComposedDpEvent", "event", "count")
ComposedDpEvent = event("ComposedDpEvent", "events")

"""A stand-in for the interface that Opacus asks of an accountant; written for the tests of the client."""
import abc


class IAccountant(abc.ABC):
    @abc.abstractmethod
    def __init__(self):
        self.history = []

    @abc.abstractmethod
    def step(self, *, noise_multiplier, sample_rate): ...

    @abc.abstractmethod
    def get_epsilon(self, delta, *args, **kwargs): ...

    @abc.abstractmethod
    def __len__(self): ...

    @classmethod
    @abc.abstractmethod
    def mechanism(cls): ...

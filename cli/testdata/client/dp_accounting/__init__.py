"""A stand-in for the part of dp_accounting that an accountant needs; written for the tests of the client."""
import abc
import enum
from dataclasses import dataclass
from typing import Any, Optional

from dp_accounting import dp_event
from dp_accounting.dp_event import DpEvent


class NeighboringRelation(enum.Enum):
    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


class UnsupportedEventError(Exception):
    pass


class PrivacyAccountant(abc.ABC):
    @dataclass(frozen=True)
    class CompositionErrorDetails:
        invalid_event: Optional[Any]
        error_message: Optional[str]


class DpEventBuilder:
    def __init__(self):
        self.events = []

    def compose(self, event, count=1):
        if not isinstance(count, int):
            raise TypeError(count)
        self.events.append(dp_event.SelfComposedDpEvent(event, count))

    def build(self):
        return dp_event.ComposedDpEvent(self.events)

"""A client for epsiloscope, the privacy-budget explorer.

One file, standard library only, Python 3.9 and newer. It runs the program
``epsiloscope`` and reads its JSON; it computes nothing itself. Print a new copy
with ``epsiloscope client python > epsiloscope.py``.

The program is found by the environment variable ``EPSILOSCOPE`` or on the path.

>>> import epsiloscope
>>> epsiloscope.price([{"mechanism": "gaussian", "sigma": 40, "count": 100}], delta=1e-6).epsilon
1.0607...

Every ε is an upper bound. What the program refuses is raised as an exception
with the program's own words: :class:`InputError` if the scenario is wrong,
:class:`Refused` if a ledger refuses, :class:`ProgramError` for anything else.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = [
    "Bound", "EpsiloscopeError", "InputError", "Ledger", "Plan", "Price", "ProgramError", "ProgramNotFound",
    "Refused", "Reservation", "Scenario", "find_program", "plan", "price", "program_version", "register_with_opacus",
]

Entry = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]


class EpsiloscopeError(Exception):
    """What the program says is wrong. ``status`` is its exit status."""

    def __init__(self, message: str, status: int = 3) -> None:
        super().__init__(message)
        self.status = status


class InputError(EpsiloscopeError):
    """The scenario, a flag or a file is wrong (exit status 2)."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message, status)


class Refused(EpsiloscopeError):
    """A ledger refuses the request: it would break the promise (exit status 1)."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message, status)


class ProgramError(EpsiloscopeError):
    """The program could not do its work (any other exit status)."""


class ProgramNotFound(EpsiloscopeError):
    """There is no program to run."""


def find_program() -> str:
    """Return the path of the program: $EPSILOSCOPE if it is set, else what is on the path."""
    named = os.environ.get("EPSILOSCOPE")
    found = shutil.which(named or "epsiloscope")
    if found is None:
        raise ProgramNotFound(
            f"$EPSILOSCOPE names {named!r}, which cannot be run" if named
            else "there is no program epsiloscope on the path: install it, or name it in $EPSILOSCOPE")
    return found


def program_version() -> str:
    """Return what ``epsiloscope --version`` prints."""
    return _run(["--version"])[0].strip()


def _run(args: Sequence[str], stdin: Optional[str] = None, allowed: Tuple[int, ...] = (0,)) -> Tuple[str, str, int]:
    """Run the program and return its output, its diagnostics and its status, which must be one of those allowed."""
    done = subprocess.run([find_program(), *args], input=stdin if stdin is not None else "", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode in allowed:
        return done.stdout, done.stderr, done.returncode
    prefix = "epsiloscope: "
    said = "\n".join(line[len(prefix):] for line in done.stderr.splitlines() if line.startswith(prefix))
    said = said or done.stderr.strip() or f"the program ended with status {done.returncode}"
    kinds = {1: Refused, 2: InputError}
    raise kinds.get(done.returncode, ProgramError)(said, done.returncode)


def _run_json(args: Sequence[str], stdin: Optional[str] = None, allowed: Tuple[int, ...] = (0,)) -> Dict[str, Any]:
    out, said, _ = _run([*args, "-o", "json"], stdin, allowed)
    for line in said.splitlines():
        if ": note: " in line:  # such as a sensitivity that is not stated: the number may be too small
            warnings.warn(line, stacklevel=4)
    try:
        value = json.loads(out)
    except ValueError as error:
        raise ProgramError(f"the program printed no JSON: {error}") from error
    if not isinstance(value, dict):
        raise ProgramError("the program printed JSON that is not an object")
    return value


def _file(path: Path) -> str:
    """Return a path that is not taken for a flag."""
    name = os.fspath(path)
    return os.path.join(".", name) if name.startswith("-") else name


def _number(name: str, x: Any) -> float:
    """Return x as a finite number; anything else is refused before the program is asked."""
    if isinstance(x, bool):
        raise InputError(f"{name}: {x!r} is not a number")
    try:
        value = float(x)
    except (TypeError, ValueError):
        raise InputError(f"{name}: {x!r} is not a number") from None
    if not math.isfinite(value):
        raise InputError(f"{name}: {x!r} is not a finite number")
    return value


def _plain(name: str, x: Any) -> Any:
    """Return x as what JSON has: numbers of other libraries as floats, NaN and infinity refused."""
    if x is None or isinstance(x, (bool, str, int)):
        return x
    if isinstance(x, Mapping):
        named = [(str(key), _plain(f"{name}.{key}", value)) for key, value in x.items()]
        if len(dict(named)) < len(named):
            raise InputError(f"{name}: two fields have the same name as text")
        return dict(named)
    if isinstance(x, (list, tuple)):
        return [_plain(f"{name}[{i}]", value) for i, value in enumerate(x, 1)]  # as the program counts
    return _number(name, x)


def _refuse_twice(where: str, more: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise if a field of more has an argument of its own: one of the two would be left out."""
    for key in more:
        if str(key) in given:
            raise InputError(f"{where}{key} is given twice: it has an argument of its own")


@dataclass(frozen=True)
class Bound:
    """What one theorem proves. ``epsilon`` is None if it does not apply; ``note`` says why."""

    method: str
    status: str
    epsilon: Optional[float]
    delta: Optional[float]
    lower: Optional[float] = None
    note: str = ""


@dataclass(frozen=True)
class Price:
    """What a stack costs: the smallest proven ε, and every bound."""

    epsilon: float
    delta: float
    method: str
    lower: Optional[float]
    bounds: List[Bound]
    data: Dict[str, Any] = field(repr=False)

    def bound(self, method: str) -> Bound:
        """Return the bound of one method, such as "rdp"."""
        for b in self.bounds:
            if b.method == method:
                return b
        raise KeyError(method)


@dataclass(frozen=True)
class Plan:
    """A value that meets the budget, on the safe side. If ``feasible`` is false, ``note`` says why and ``value`` is None."""

    solve: str
    value: Optional[float]
    feasible: bool
    method: str
    epsilon: Optional[float]
    delta: Optional[float]
    note: str
    data: Dict[str, Any] = field(repr=False)


@dataclass
class Scenario:
    """What is released and what it may cost: the fields of a scenario file.

    ``stack`` is a list of entries such as ``{"mechanism": "gaussian", "sigma": 40, "count": 100}``. The program
    checks every field, so an unknown one is an :class:`InputError`. ``more`` holds fields that have no argument here.
    """

    stack: Sequence[Entry]
    epsilon: Optional[float] = None
    delta: Optional[float] = None
    unit: Optional[str] = None
    adjacency: str = "add-remove"
    name: Optional[str] = None
    rounds: int = 1
    group: int = 1
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the scenario as JSON, which is YAML too: the text of a scenario file."""
        file: Dict[str, Any] = {"version": 1}
        if self.name is not None:
            file["name"] = str(self.name)
        if self.unit is not None:
            file["unit"] = str(self.unit)
        file["adjacency"] = str(self.adjacency)
        budget = {key: _number(key, x) for key, x in (("epsilon", self.epsilon), ("delta", self.delta)) if x is not None}
        more = _plain("more", dict(self.more))
        harm = more.pop("budget", {})
        if not isinstance(harm, Mapping):
            raise InputError("more: budget must be a mapping, such as {'advantage': 0.2}")
        _refuse_twice("more: budget.", harm, budget)
        budget.update(harm)
        if budget:
            file["budget"] = budget
        file["rounds"], file["group"], file["stack"] = self.rounds, self.group, _plain("stack", list(self.stack))
        _refuse_twice("more: ", more, file)
        file.update(more)
        return json.dumps(_plain("scenario", file), allow_nan=False, ensure_ascii=False)

    def price(self, precision: Optional[float] = None) -> Price:
        """Return what the stack costs at the scenario's δ. :class:`InputError` if no theorem gives a finite ε."""
        args = ["compare", "-"]
        if precision is not None:
            args += ["--precision", repr(_number("precision", precision))]
        data = _run_json(args, self.to_json())
        bounds = [Bound(b["method"], b["status"], b.get("epsilon"), b.get("delta"), b.get("epsilon_lower"), b.get("note", ""))
                  for b in data["bounds"]]
        best = data.get("best")
        if not best or best.get("epsilon") is None:
            raise InputError("no theorem gives a finite ε: " + "; ".join(f"{b.method}: {b.note}" for b in bounds if b.note))
        winner = next(b for b in bounds if b.method == best["method"])
        return Price(best["epsilon"], winner.delta or 0.0, best["method"], winner.lower, bounds, data)

    def plan(self, solve: str, entry: Optional[int] = None, method: Optional[str] = None) -> Plan:
        """Solve for one unknown (count, epsilon, sigma, scale, steps, rounds, delta, n) under the scenario's budget."""
        args = ["plan", "-", "--solve", solve]
        if entry is not None:
            args += ["--entry", str(int(entry))]
        if method is not None:
            args += ["--method", method]
        data = _run_json(args, self.to_json(), allowed=(0, 1))
        achieved = data.get("achieved") or {}
        feasible = bool(data["feasible"])
        return Plan(data["solve"], data.get("value") if feasible else None, feasible, data.get("method", ""),
                    achieved.get("epsilon"), achieved.get("delta"), data.get("note", ""), data)

    def statement(self) -> str:
        """Return the paragraph to quote with its fact sheet, as plain text."""
        return _run(["statement", "-"], self.to_json())[0]


def price(stack: Sequence[Entry], delta: float, **fields: Any) -> Price:
    """Return what a stack costs at δ. Further fields are those of :class:`Scenario`.

    An entry may say what it asks, and its sensitivity follows: ``{"mechanism": "laplace", "scale": 300,
    "query": {"kind": "histogram", "max_groups": 3, "per_group": 5}}``.
    """
    return Scenario(stack, delta=delta, **fields).price()


def plan(stack: Sequence[Entry], solve: str, epsilon: float, delta: float, entry: Optional[int] = None,
         method: Optional[str] = None, **fields: Any) -> Plan:
    """Solve for one unknown of a stack under (ε, δ). Further fields are those of :class:`Scenario`."""
    return Scenario(stack, epsilon=epsilon, delta=delta, **fields).plan(solve, entry, method)


@dataclass
class Reservation:
    """A request that a ledger granted. It counts as spent until it is cancelled."""

    ledger: "Ledger"
    id: str
    state: str = "held"

    def commit(self, artifact: Optional[str] = None) -> None:
        """Record that the release was made; ``artifact`` names what came out."""
        self.ledger.commit(self.id, artifact)
        self.state = "committed"

    def cancel(self, reason: str) -> None:
        """Give the reservation back. Only for a program that never opened the data."""
        self.ledger.cancel(self.id, reason)
        self.state = "cancelled"


class Ledger:
    """A file that remembers what was spent and refuses what would break its promise.

    >>> with Ledger("usage.ledger").spend(scenario, by="stats") as reservation:  # doctest: +SKIP
    ...     release()

    The reservation is committed at the end of the block. If the block raises, it stays held and counts as spent,
    because the data may have been read.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self.head: Optional[str] = None  # of the last record this object wrote or was shown: keep it elsewhere

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"

    @classmethod
    def new(cls, path: Path, epsilon: float, delta: float, unit: str, adjacency: Optional[str] = None,
            filter: Optional[str] = None, alpha: Optional[float] = None) -> "Ledger":
        """Create a ledger that promises (ε, δ) for one unit."""
        args = ["ledger", "new", _file(path), "--epsilon", repr(_number("epsilon", epsilon)), "--delta", repr(_number("delta", delta)), "--unit", unit]
        for flag, value in (("--adjacency", adjacency), ("--filter", filter)):
            if value is not None:
                args += [flag, value]
        if alpha is not None:
            args += ["--alpha", repr(_number("alpha", alpha))]
        made = cls(path)
        made._note(_run(args)[1])
        return made

    def _note(self, said: str) -> None:
        heads = re.findall(r"\bhead ([0-9a-f]{64})\b", said)
        if heads:
            self.head = heads[-1]

    def ask(self, scenario: Scenario) -> Dict[str, Any]:
        """Return what a scenario would cost and what would be left; ``fits`` says whether it would be granted."""
        answer = _run_json(["ledger", "ask", _file(self.path), "-"], scenario.to_json(), allowed=(0, 1))
        self.head = answer.get("head", self.head)
        return answer

    def reserve(self, scenario: Scenario, by: Optional[str] = None, why: Optional[str] = None,
                blocks: Sequence[str] = ()) -> Reservation:
        """Reserve what a scenario costs, before the data are touched. :class:`Refused` if it does not fit."""
        args = ["ledger", "spend", _file(self.path), "-"]
        for flag, value in (("--by", by), ("--why", why)):
            if value is not None:
                args += [flag, value]
        for block in blocks:
            args += ["--block", block]
        out, said, _ = _run(args, scenario.to_json())
        self._note(said)
        return Reservation(self, out.strip())

    @contextmanager
    def spend(self, scenario: Scenario, by: Optional[str] = None, why: Optional[str] = None,
              blocks: Sequence[str] = ()) -> Iterator[Reservation]:
        """Reserve, run the block, commit. An exception in the block leaves the reservation held."""
        reservation = self.reserve(scenario, by, why, blocks)
        yield reservation
        if reservation.state == "held":
            reservation.commit()

    def commit(self, id: str, artifact: Optional[str] = None) -> None:
        """Record that a reserved release was made."""
        args = ["ledger", "commit", _file(self.path), id]
        if artifact is not None:
            args += ["--artifact", artifact]
        self._note(_run(args)[1])

    def cancel(self, id: str, reason: str) -> None:
        """Give a reservation back: the data were never touched."""
        self._note(_run(["ledger", "cancel", _file(self.path), id, "--reason", reason])[1])

    def show(self) -> Dict[str, Any]:
        """Return promise, spent, held, left, head and odometer."""
        status = _run_json(["ledger", "show", _file(self.path)])
        self.head = status.get("head", self.head)
        return status

    def verify(self, head: Optional[str] = None) -> str:
        """Replay the file. :class:`InputError` if it does not hold, or if head is not in its chain."""
        args = ["ledger", "verify", _file(self.path)]
        return _run(args + (["--head", head] if head is not None else []))[0]

    def statement(self) -> str:
        """Return the paragraph to quote, with the head."""
        return _run(["ledger", "statement", _file(self.path)])[0]


def _opacus_accountant() -> Any:
    """Return the accountant class for Opacus, which must be installed."""
    from opacus.accountants.accountant import IAccountant  # type: ignore[import-not-found]

    class OpacusAccountant(IAccountant):  # type: ignore[misc]
        """An Opacus accountant whose ε is the upper end of a certified interval.

        Each step is one step of DP-SGD with Poisson batches under add-remove adjacency, as the other accountants of
        Opacus assume: leave ``poisson_sampling`` on. What cannot be priced is refused with :class:`InputError`.
        """

        def __init__(self) -> None:
            super().__init__()
            self.history: List[Tuple[float, float, int]] = []

        def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
            """Count one more step, with the numbers as they are now: a tensor or an array may change later."""
            now = _number("noise_multiplier", noise_multiplier), _number("sample_rate", sample_rate)
            last = self.history[-1] if self.history else None
            if last is not None and last[:2] == now:
                self.history[-1] = (*now, last[2] + 1)
            else:
                self.history.append((*now, 1))

        def _stack(self) -> List[Entry]:
            stack: List[Entry] = []
            for noise_multiplier, sample_rate, steps in self.history:
                if not _number("noise_multiplier", noise_multiplier) > 0:
                    raise InputError(f"noise_multiplier {noise_multiplier!r} has no finite ε: it must be above 0")
                if int(steps) != steps or steps < 0:
                    raise InputError(f"steps: {steps!r} is not a whole number of steps")
                if steps > 0:
                    stack.append({"mechanism": "dp-sgd", "noise_multiplier": _number("noise_multiplier", noise_multiplier),
                                  "sampling_rate": _number("sample_rate", sample_rate), "steps": int(steps), "batches": "poisson"})
            return stack

        def get_interval(self, delta: float) -> Tuple[float, float]:
            """Return the certified interval of ε at δ, lower end first."""
            stack = self._stack()
            if not stack:
                return 0.0, 0.0
            bound = price(stack, delta=delta).bound("numerical")
            if bound.status != "valid" or bound.epsilon is None:
                raise InputError("no certified ε for this training: " + bound.note)
            return bound.lower or 0.0, bound.epsilon

        def get_epsilon(self, delta: float, **refused: Any) -> float:
            """Return the upper end of the certified interval of ε at δ."""
            if refused:
                raise InputError("get_epsilon takes only delta here, not " + ", ".join(sorted(refused)))
            return self.get_interval(delta)[1]

        def __len__(self) -> int:
            return sum(int(steps) for _, _, steps in self.history)

        @classmethod
        def mechanism(cls) -> str:
            return "epsiloscope"

        def state_dict(self, destination: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
            """Return the state, with what mechanism it is of."""
            destination = {} if destination is None else destination
            destination["history"] = [tuple(h) for h in self.history]
            destination["mechanism"] = self.mechanism()
            return destination

        def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
            """Take over a state of this accountant; the state of another is refused."""
            if state_dict.get("mechanism") != self.mechanism():
                raise ValueError(f"the state is one of {state_dict.get('mechanism')!r}, not of {self.mechanism()!r}")
            if "history" not in state_dict:
                raise ValueError("the state has no history")
            self.history = [(h[0], h[1], h[2]) for h in state_dict["history"]]

    return OpacusAccountant


def register_with_opacus() -> Any:
    """Register the accountant in Opacus, so that ``PrivacyEngine(accountant="epsiloscope")`` uses it, and return its class."""
    from opacus.accountants.registry import register_accountant  # type: ignore[import-not-found]

    accountant = __getattr__("OpacusAccountant")
    register_accountant(accountant.mechanism(), accountant)
    return accountant


_made: Dict[str, Any] = {}


def __getattr__(name: str) -> Any:
    """Make OpacusAccountant when it is asked for: importing this file must not need Opacus."""
    if name != "OpacusAccountant":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _made:
        _made[name] = _opacus_accountant()
    return _made[name]

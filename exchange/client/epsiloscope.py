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
    "Bound", "DpAccountant", "EpsiloscopeError", "InputError", "Ledger", "OpacusAccountant", "Plan", "Price", "ProgramError",
    "ProgramNotFound", "Refused", "Reservation", "Scenario", "ScenarioFile", "TimedOut", "find_program", "load", "plan", "price",
    "program_version", "register_with_opacus",
]

#: The longest time in seconds that one computation may take; None for no limit. Writing to a ledger has no limit of this kind.
TIMEOUT: Optional[float] = 600.0

Entry = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]


class EpsiloscopeError(Exception):
    """What the program says is wrong. ``status`` is its exit status."""

    def __init__(self, message: str, status: int = 3) -> None:
        super().__init__(message)
        self.status = status


class InputError(EpsiloscopeError, ValueError):
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


class TimedOut(EpsiloscopeError):
    """A computation took longer than ``TIMEOUT`` seconds."""


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
    text = _run(["--version"])[0].strip()
    if not text.startswith("epsiloscope "):
        raise ProgramError(f"the program {find_program()} is not epsiloscope: it calls itself {text[:40]!r}")
    return text


def _run(args: Sequence[str], stdin: Optional[str] = None, allowed: Tuple[int, ...] = (0,),
         limited: bool = True) -> Tuple[str, str, int]:
    """Run the program and return its output, its diagnostics and its status, which must be one of those allowed."""
    try:
        text = (stdin or "").encode("utf-8")
        command = [find_program(), *args]
        for arg in command:
            os.fsencode(arg)
    except UnicodeEncodeError as error:
        raise InputError(f"a text is not valid Unicode: {error.reason} at character {error.start + 1}") from None
    try:
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=TIMEOUT if limited else None)
    except subprocess.TimeoutExpired:
        raise TimedOut(f"epsiloscope {args[0]} took longer than {TIMEOUT} s; epsiloscope.TIMEOUT sets the limit") from None
    except (OSError, ValueError) as error:  # not a program for this machine, a text with a zero byte
        raise ProgramError(f"the program {command[0]} cannot be run: {error}") from error
    out, said = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    if done.returncode in allowed:
        return out, said, done.returncode
    prefix = "epsiloscope: "
    words = "\n".join(line[len(prefix):] for line in said.splitlines() if line.startswith(prefix))
    words = words or said.strip() or f"the program ended with status {done.returncode}"
    kinds = {1: Refused, 2: InputError}
    raise kinds.get(done.returncode, ProgramError)(words, done.returncode)


def _run_json(args: Sequence[str], stdin: Optional[str] = None, allowed: Tuple[int, ...] = (0,),
              needs: Sequence[str] = (), quiet: bool = False) -> Dict[str, Any]:
    """Run the program and return the JSON object that it prints, which must have the fields needed."""
    out, said, _ = _run([*args, "-o", "json"], stdin, allowed)
    for line in said.splitlines():
        if ": note: " in line and not quiet:  # such as a sensitivity that is not stated: the number may be too small
            warnings.warn(line, stacklevel=4)
    try:
        value = json.loads(out)
    except ValueError as error:
        raise ProgramError(f"the program printed no JSON: {error}") from error
    if not isinstance(value, dict):
        raise ProgramError("the program printed JSON that is not an object")
    for name in needs:
        if name not in value:
            raise ProgramError(f"the program printed JSON without {name}: is {find_program()} epsiloscope?")
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
    _of: Optional["_Priced"] = field(default=None, repr=False, compare=False)

    def harm(self) -> Optional[Dict[str, Any]]:
        """Return what an attacker can do: advantage, true-positive rates, (μ, δ₀), each with a certified upper end.

        It is computed when it is asked for, and can take longer than the price. None if no certified curve is known.
        """
        if "risk" in self.data or self._of is None:
            return self.data.get("risk")
        name, text = self._of._input()
        found: Optional[Dict[str, Any]] = _run_json(["compare", name, "--harm"], text, needs=("risk",))["risk"]
        return found

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


def _bounds(data: Mapping[str, Any]) -> List[Bound]:
    """Return the bounds of the JSON of compare."""
    try:
        return [Bound(b["method"], b["status"], b.get("epsilon"), b.get("delta"), b.get("epsilon_lower"), b.get("note", ""))
                for b in data["bounds"]]
    except (AttributeError, KeyError, TypeError) as error:
        raise ProgramError(f"the program printed bounds that cannot be read: {error!r}") from error


class _Priced:
    """What can be priced: a scenario made here, or one in a file."""

    def _input(self) -> Tuple[str, Optional[str]]:
        """Return the argument FILE|NAME and the standard input of a command about it."""
        raise NotImplementedError

    def price(self, precision: Optional[float] = None) -> Price:
        """Return what the stack costs at the scenario's δ. :class:`InputError` if no theorem gives a finite ε."""
        name, text = self._input()
        args = ["compare", name]
        if precision is not None:
            args += ["--precision", repr(_number("precision", precision))]
        data = _run_json(args, text, needs=("bounds",))
        bounds, best = _bounds(data), data.get("best")
        if not best or best.get("epsilon") is None:
            raise InputError("no theorem gives a finite ε: " + "; ".join(f"{b.method}: {b.note}" for b in bounds if b.note))
        winner = next((b for b in bounds if b.method == best.get("method")), None)
        if winner is None:
            raise ProgramError("the program printed a best bound that is not among the bounds")
        return Price(best["epsilon"], winner.delta or 0.0, winner.method, winner.lower, bounds, data, self)

    def bound(self, method: str) -> Bound:
        """Return the bound of one theorem, such as "numerical", without asking the others."""
        name, text = self._input()
        return _bounds(_run_json(["compare", name, "--method", method], text, needs=("bounds",)))[0]

    def plan(self, solve: str, entry: Optional[int] = None, method: Optional[str] = None) -> Plan:
        """Solve for one unknown (count, epsilon, sigma, scale, steps, rounds, delta, n) under the scenario's budget."""
        name, text = self._input()
        args = ["plan", name, "--solve", solve]
        if entry is not None:
            args += ["--entry", str(int(entry))]
        if method is not None:
            args += ["--method", method]
        data = _run_json(args, text, allowed=(0, 1), needs=("feasible", "solve"))
        achieved = data.get("achieved") or {}
        feasible = bool(data["feasible"])
        return Plan(data["solve"], data.get("value") if feasible else None, feasible, data.get("method", ""),
                    achieved.get("epsilon"), achieved.get("delta"), data.get("note", ""), data)

    def curve(self, kind: str, *, entry: Optional[int] = None, points: Optional[int] = None) -> Dict[str, Any]:
        """Return the numbers behind one chart, such as "profile": ``x``, ``y`` and ``series`` with their points."""
        name, text = self._input()
        args = ["curve", name, kind]
        for flag, value in (("--entry", entry), ("--points", points)):
            if value is not None:
                args += [flag, str(int(value))]
        return _run_json(args, text, needs=("series",))

    def peers(self) -> List[Dict[str, Any]]:
        """Return what Opacus, dp_accounting and TF-Privacy print for a training, and why that differs."""
        name, text = self._input()
        found: List[Dict[str, Any]] = _run_json(["compare", name, "--peers"], text, needs=("peers",))["peers"]
        return found

    def statement(self) -> str:
        """Return the paragraph to quote with its fact sheet, as plain text."""
        name, text = self._input()
        return _run(["statement", name], text)[0]


@dataclass(frozen=True)
class ScenarioFile(_Priced):
    """A scenario in a file, or a bundled one by its name. The program reads it anew for every question."""

    path: str

    def _input(self) -> Tuple[str, Optional[str]]:
        return _file(self.path), None


def load(path: Path) -> ScenarioFile:
    """Return the scenario of a file or of the library, after the program has checked it."""
    found = ScenarioFile(os.fspath(path))
    _run(["compare", _file(found.path), "--method", "basic"])
    return found


@dataclass
class Scenario(_Priced):
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
    records: Optional[int] = None

    def _input(self) -> Tuple[str, Optional[str]]:
        return "-", self.to_json()

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
        if self.records is not None:
            file["records"] = self.records
        file["rounds"], file["group"], file["stack"] = self.rounds, self.group, _plain("stack", list(self.stack))
        _refuse_twice("more: ", more, file)
        file.update(more)
        return json.dumps(_plain("scenario", file), allow_nan=False, ensure_ascii=False)


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
        made._note(_run(args, limited=False)[1])
        return made

    def _note(self, said: str) -> None:
        heads = re.findall(r"\bhead ([0-9a-f]{64})\b", said)
        if heads:
            self.head = heads[-1]

    def ask(self, scenario: Union[Scenario, ScenarioFile]) -> Dict[str, Any]:
        """Return what a scenario would cost and what would be left; ``fits`` says whether it would be granted."""
        name, text = scenario._input()
        answer = _run_json(["ledger", "ask", _file(self.path), name], text, allowed=(0, 1), needs=("fits",))
        self.head = answer.get("head", self.head)
        return answer

    def reserve(self, scenario: Union[Scenario, ScenarioFile], by: Optional[str] = None, why: Optional[str] = None,
                blocks: Sequence[str] = ()) -> Reservation:
        """Reserve what a scenario costs, before the data are touched. :class:`Refused` if it does not fit."""
        name, text = scenario._input()
        args = ["ledger", "spend", _file(self.path), name]
        for flag, value in (("--by", by), ("--why", why)):
            if value is not None:
                args += [flag, value]
        for block in blocks:
            args += ["--block", block]
        out, said, _ = _run(args, text, limited=False)
        self._note(said)
        return Reservation(self, out.strip())

    @contextmanager
    def spend(self, scenario: Union[Scenario, ScenarioFile], by: Optional[str] = None, why: Optional[str] = None,
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
        self._note(_run(args, limited=False)[1])

    def cancel(self, id: str, reason: str) -> None:
        """Cancel a reservation whose data were never read."""
        self._note(_run(["ledger", "cancel", _file(self.path), id, "--reason", reason], limited=False)[1])

    def show(self) -> Dict[str, Any]:
        """Return promise, spent, held, left, head and odometer."""
        status = _run_json(["ledger", "show", _file(self.path)], needs=("head",))
        self.head = status.get("head", self.head)
        return status

    def verify(self, head: Optional[str] = None) -> str:
        """Replay the file. :class:`InputError` if it does not hold, or if head is not in its chain."""
        args = ["ledger", "verify", _file(self.path)]
        return _run(args + (["--head", head] if head is not None else []))[0]

    def statement(self) -> str:
        """Return the paragraph to quote, with the hash of the last record."""
        return _run(["ledger", "statement", _file(self.path)])[0]


def _steps(item: Any) -> Tuple[float, float, int]:
    """Return an item of a history, (noise multiplier, sample rate, steps), checked."""
    if not isinstance(item, (list, tuple)) or len(item) != 3:
        raise InputError(f"history: {item!r} is not (noise multiplier, sample rate, steps)")
    noise, rate, steps = (_number(name, x) for name, x in zip(("noise_multiplier", "sample_rate", "steps"), item))
    if not noise > 0:
        raise InputError(f"noise_multiplier {item[0]!r} has no finite ε: it must be above 0")
    if not 0 <= rate <= 1:
        raise InputError(f"sample_rate: {item[1]!r} is not between 0 and 1")
    if steps != int(steps) or steps < 0:
        raise InputError(f"steps: {item[2]!r} is not a whole number of steps")
    return noise, rate, int(steps)


class OpacusAccountant:
    """An accountant for Opacus whose ε is the upper end of a certified interval.

    Each step is one step of DP-SGD with Poisson batches under add-remove adjacency, as the other accountants of
    Opacus assume: leave ``poisson_sampling`` on. What cannot be priced is refused with :class:`InputError`.
    :func:`register_with_opacus` makes it known to Opacus; using it needs nothing but this file.
    """

    def __init__(self) -> None:
        self.history: List[Tuple[float, float, int]] = []

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Count one more step, with the numbers as they are now: a tensor or an array may change later."""
        now = _number("noise_multiplier", noise_multiplier), _number("sample_rate", sample_rate)
        last = self.history[-1] if self.history else None
        if last is not None and last[:2] == now:
            self.history[-1] = (*now, last[2] + 1)
        else:
            self.history.append((*now, 1))

    def get_optimizer_hook_fn(self, sample_rate: float) -> Any:
        """Return the function that an optimizer of Opacus calls after every step."""

        def count_step(optimizer: Any) -> None:
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=sample_rate * optimizer.accumulated_iterations)

        return count_step

    def get_interval(self, delta: float) -> Tuple[float, float]:
        """Return the certified interval of ε at δ, lower end first."""
        if not isinstance(self.history, (list, tuple)):
            raise InputError(f"history: {self.history!r} is not a list")
        stack = [{"mechanism": "dp-sgd", "noise_multiplier": noise, "sampling_rate": rate, "steps": steps, "batches": "poisson"}
                 for noise, rate, steps in map(_steps, self.history) if steps > 0 and rate > 0]
        if not stack:
            return 0.0, 0.0
        bound = Scenario(stack, delta=delta).bound("numerical")
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
        """Return the name under which Opacus knows this accountant."""
        return "epsiloscope"

    def state_dict(self, destination: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Return the state, with what mechanism it is of."""
        destination = {} if destination is None else destination
        destination["history"] = [tuple(h) for h in self.history]
        destination["mechanism"] = self.mechanism()
        return destination

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over a state of this accountant; the state of another, and one that cannot be read, is refused."""
        if not isinstance(state_dict, Mapping):
            raise InputError(f"the state is {state_dict!r}, not a mapping")
        if state_dict.get("mechanism") != self.mechanism():
            raise InputError(f"the state is one of {state_dict.get('mechanism')!r}, not of {self.mechanism()!r}")
        history = state_dict.get("history")
        if not isinstance(history, (list, tuple)):
            raise InputError("the state has no history")
        self.history = [_steps(item) for item in history]


def register_with_opacus() -> Any:
    """Make the accountant known to Opacus, so that ``PrivacyEngine(accountant="epsiloscope")`` uses it, and return its class.

    Registering it again changes nothing.
    """
    from opacus.accountants.accountant import IAccountant  # type: ignore[import-not-found]
    from opacus.accountants.registry import create_accountant, register_accountant  # type: ignore[import-not-found]

    IAccountant.register(OpacusAccountant)
    name = OpacusAccountant.mechanism()
    try:
        register_accountant(name, OpacusAccountant)
    except ValueError:  # some versions refuse a name that is taken
        if not isinstance(create_accountant(name), OpacusAccountant):
            raise ProgramError(f"Opacus has another accountant of the name {name!r}") from None
    return OpacusAccountant


class DpAccountant:
    """A ``PrivacyAccountant`` of dp_accounting that asks epsiloscope; dp_accounting must be installed.

    Events are handed to ``epsiloscope import dp-accounting``. What it refuses is not supported, so that composing it raises
    dp_accounting's own ``UnsupportedEventError``. Under ``REPLACE_ONE`` noise is relative to what one record contributes, as in
    dp_accounting's PLD accountant. ``get_epsilon`` returns the smallest proven ε, ``get_delta`` the smallest proven δ, each rounded up.
    """

    def __init__(self, neighboring_relation: Any = None) -> None:
        import dp_accounting  # type: ignore[import-not-found]

        known = dp_accounting.NeighboringRelation
        self._neighboring_relation = known.ADD_OR_REMOVE_ONE if neighboring_relation is None else neighboring_relation
        if not isinstance(self._neighboring_relation, known):
            raise InputError(f"neighboring_relation: {neighboring_relation!r} is not one of dp_accounting")
        self._ledger = dp_accounting.DpEventBuilder()
        self._known: Dict[str, Optional[str]] = {}
        dp_accounting.PrivacyAccountant.register(type(self))

    @property
    def neighboring_relation(self) -> Any:
        """Return which data sets are neighbours."""
        return self._neighboring_relation

    @property
    def ledger(self) -> Any:
        """Return the event composed so far."""
        return self._ledger.build()

    def supports(self, event: Any) -> bool:
        """Return whether an event can be priced."""
        return self._maybe_compose(event, 0, False) is None

    def compose(self, event: Any, count: int = 1) -> "DpAccountant":
        """Add an event, ``count`` times, and return the accountant. An event that is not supported raises and adds nothing."""
        import dp_accounting

        if not isinstance(event, dp_accounting.DpEvent):
            raise TypeError(f"`event` must be `DpEvent`. Found {type(event)}.")
        problem = self._maybe_compose(event, count, False)
        if problem is not None:
            raise dp_accounting.UnsupportedEventError(
                f"Unsupported event: {event}. Error: [{problem.error_message}] caused by subevent {problem.invalid_event}.")
        self._ledger.compose(event, count)
        return self

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Any:
        """Return why an event cannot be composed, None if it can; the state is that of the builder, so nothing is composed here."""
        import dp_accounting

        for leaf in _leaves(event):
            if _is_free(leaf) or _class_of(leaf) == "NonPrivateDpEvent":
                continue
            try:
                text = _event_text(leaf)
                if text not in self._known:
                    self._known[text] = self._refusal(text)
                problem = self._known[text]
            except InputError as error:
                problem = str(error)
            if problem is not None:
                return dp_accounting.PrivacyAccountant.CompositionErrorDetails(invalid_event=leaf, error_message=problem)
        return None

    def _refusal(self, text: str) -> Optional[str]:
        """Return why the program refuses an event; None if it takes it."""
        try:
            scenario = self._import([(text, 1)])
            if scenario is not None:
                _run_json(["compare", "-", "--method", "numerical", "--delta", "1e-5"], scenario, quiet=True)
        except InputError as error:
            return str(error)
        return None

    def _import(self, events: Sequence[Tuple[str, int]]) -> Optional[str]:
        """Return the events as a scenario; None if nothing in them costs privacy."""
        lines = ["import math", f"a = PLDAccountant(neighboring_relation=NeighboringRelation.{self._neighboring_relation.name})"]
        lines += [f"a.compose({text}, {count})" for text, count in events]
        try:
            return _run(["import", "dp-accounting", "-"], "\n".join(lines) + "\n")[0]
        except InputError as error:
            if "holds nothing that spends privacy" in str(error):
                return None
            raise

    def _composed(self) -> Tuple[Optional[str], bool]:
        """Return what was composed as a scenario, None if it costs nothing, and whether some of it was released without noise."""
        counts: Dict[str, int] = {}
        exposed = False
        for leaf, count in _counted(self.ledger, 1):
            if _class_of(leaf) == "NonPrivateDpEvent":
                exposed = True
            elif not _is_free(leaf):
                text = _event_text(leaf)
                counts[text] = counts.get(text, 0) + count
        return (self._import(list(counts.items())) if counts else None), exposed

    def get_epsilon(self, target_delta: float) -> float:
        """Return the smallest proven ε at δ; infinity if there is none."""
        delta = _number("target_delta", target_delta)
        scenario, exposed = self._composed()
        if exposed:
            return math.inf
        if scenario is None or delta >= 1:
            return 0.0
        data = _run_json(["compare", "-", "--delta", repr(delta)], scenario, needs=("bounds",), quiet=True)
        best = data.get("best") or {}
        return math.inf if best.get("epsilon") is None else float(best["epsilon"])

    def get_delta(self, target_epsilon: float) -> float:
        """Return the smallest proven δ at ε; 1 if there is none. At an infinite ε it is that of ε = 1000, which is no smaller."""
        epsilon = 1000.0 if target_epsilon == math.inf else _number("target_epsilon", target_epsilon)
        scenario, exposed = self._composed()
        if exposed:
            return 1.0
        if scenario is None:
            return 0.0
        data = _run_json(["plan", "-", "--solve", "delta", "--epsilon", repr(epsilon)], scenario, allowed=(0, 1), needs=("feasible",), quiet=True)
        return float(data["value"]) if data["feasible"] else 1.0


def _class_of(event: Any) -> str:
    """Return the name of an event's class, "" if the class is not one of dp_accounting's own: its namesake may mean anything."""
    from dp_accounting import dp_event

    name = type(event).__name__
    return name if getattr(dp_event, name, None) is type(event) else ""


def _is_free(event: Any) -> bool:
    """Return whether an event costs nothing by its own definition."""
    name = _class_of(event)
    return name == "NoOpDpEvent" or name == "EpsilonDeltaDpEvent" and event.epsilon == 0 and event.delta == 0


def _counted(event: Any, count: int) -> Iterator[Tuple[Any, int]]:
    """Yield the events in an event that are no compositions, with how often each is made."""
    name = _class_of(event)
    if name == "ComposedDpEvent":
        for inner in event.events:
            yield from _counted(inner, count)
    elif name == "SelfComposedDpEvent":
        if isinstance(event.count, bool) or event.count != int(event.count) or event.count < 0:
            raise InputError(f"count: {event.count!r} is not a whole number")
        yield from _counted(event.event, count * int(event.count))
    else:
        yield event, count


def _leaves(event: Any) -> List[Any]:
    return [leaf for leaf, _ in _counted(event, 1)]


def _event_text(event: Any) -> str:
    """Return an event as the Python that builds it, from its fields: what a class prints of itself may be anything."""
    name = _class_of(event)
    if not name:
        raise InputError(f"{type(event).__name__} is not an event of dp_accounting")

    def text(label: str, x: Any) -> str:
        if x is None:
            return "None"
        if _class_of(x):
            return _event_text(x)
        if isinstance(x, (list, tuple)):
            return "[" + ", ".join(text(label, item) for item in x) + "]"
        if isinstance(x, float) and x == math.inf:
            return "math.inf"
        return str(x) if isinstance(x, int) and not isinstance(x, bool) else repr(_number(label, x))

    fields = [f.name for f in type(event).__attrs_attrs__]
    return f"{name}({', '.join(f'{field}={text(field, getattr(event, field))}' for field in fields)})"

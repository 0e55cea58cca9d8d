"""Tests of the client with the real program. Run by the Go tests, with the client's folder on the path."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import epsiloscope
from epsiloscope import InputError, Ledger, ProgramNotFound, Refused, Scenario

NOISE = [{"mechanism": "gaussian", "sigma": 40, "count": 100}]


class Prices(unittest.TestCase):
    def test_price_is_the_program_s(self):
        got = epsiloscope.price(NOISE, delta=1e-6)
        self.assertAlmostEqual(got.epsilon, 1.0607018623, places=9)  # exact for Gaussian noise: μ = √100/40 = 1/4 at δ = 1e-6
        numerical = got.bound("numerical")
        self.assertLessEqual(numerical.lower, numerical.epsilon)
        self.assertIsNone(got.bound("optimal").epsilon)
        self.assertIn("Gaussian", got.bound("optimal").note)

    def test_fields_are_carried(self):
        once = epsiloscope.price([{"mechanism": "pure", "epsilon": 0.1}], delta=0)
        self.assertAlmostEqual(once.epsilon, 0.1, places=12)
        self.assertAlmostEqual(epsiloscope.price([{"mechanism": "pure", "epsilon": 0.1}], delta=0, rounds=5).epsilon, 0.5, places=12)
        self.assertAlmostEqual(epsiloscope.price([{"mechanism": "pure", "epsilon": 0.1}], delta=0, group=3).epsilon, 0.3, places=12)

    def test_a_query_decides_the_sensitivity(self):
        visits = {"mechanism": "laplace", "scale": 300, "query": {"kind": "sums", "clip": [0, 2], "max_groups": 3, "per_group": 5}}
        for adjacency, epsilon in (("add-remove", 0.1), ("replace", 0.2)):
            found = epsiloscope.price([visits], delta=0, adjacency=adjacency)
            self.assertAlmostEqual(found.bound("basic").epsilon, epsilon)
            entry = found.data["entries"][0]
            self.assertEqual((entry["sensitivity"], entry["norm"], entry["sensitivity_from"]), (300 * epsilon, "l1", "query"))
        with self.assertRaises(InputError):
            epsiloscope.price([{**visits, "sensitivity": 29}], delta=0)

    def test_words_of_the_program(self):
        with self.assertRaises(InputError) as caught:
            epsiloscope.price([{"mechanism": "gausian", "sigma": 40}], delta=1e-6)
        self.assertIn("did you mean gaussian?", str(caught.exception))
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaises(InputError):
            epsiloscope.price(NOISE, delta=1e-6, more={"colour": "red"})

    def test_nothing_is_given_twice(self):
        # The later of two values would win: rounds=100 with more={"rounds": 1} was priced as one round.
        for more in ({"rounds": 1}, {"group": 1}, {"adjacency": "zero-out"}, {"stack": []}, {"version": 1}, {"budget": {"delta": 0.5}}, {"budget": 3}):
            with self.assertRaises(InputError, msg=repr(more)):
                epsiloscope.price(NOISE, delta=1e-6, rounds=100, more=more)
        with self.assertRaises(InputError):  # the second would replace the first
            epsiloscope.price([{"mechanism": "rdp", "points": {"2": 0.5, 2: 0.001}}], delta=1e-6)
        harm = Scenario(NOISE, delta=1e-6, more={"budget": {"advantage": 0.2}, "records": 1000}).price()
        self.assertAlmostEqual(harm.epsilon, 1.0607018623, places=6)

    def test_a_sensitivity_that_is_open_is_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "sensitivity: is not stated"):
            epsiloscope.price(NOISE, delta=1e-6, adjacency="replace")

    def test_numbers_that_are_none_are_refused(self):
        for bad in (float("nan"), float("inf"), "many", True, None):
            with self.assertRaises(InputError, msg=repr(bad)):
                epsiloscope.price([{"mechanism": "gaussian", "sigma": bad}], delta=1e-6)
        with self.assertRaises(InputError):
            epsiloscope.price(NOISE, delta=float("nan"))

    def test_no_text_becomes_a_flag_or_a_field(self):
        name = 'x"\nstack: []\n--check'
        got = Scenario(NOISE, delta=1e-6, name="--check", unit='person"}').price()
        self.assertEqual(got.data["scenario"]["name"], "--check")
        with self.assertRaises(InputError):  # control characters are refused, not cut
            Scenario(NOISE, delta=1e-6, name=name).price()

    def test_plan(self):
        got = epsiloscope.plan(NOISE, "sigma", epsilon=1, delta=1e-6)
        self.assertTrue(got.feasible)
        self.assertLessEqual(got.epsilon, 1)
        self.assertLessEqual(epsiloscope.price([dict(NOISE[0], sigma=got.value)], delta=1e-6).epsilon, 1)
        none = epsiloscope.plan([{"mechanism": "pure", "epsilon": 2}, dict(NOISE[0])], "sigma", epsilon=1, delta=1e-6)
        self.assertFalse(none.feasible)
        self.assertIsNone(none.value)
        self.assertTrue(none.note)

    def test_statement(self):
        self.assertIn("differential privacy", Scenario(NOISE, delta=1e-6, unit="person").statement().replace("-", " "))

    def test_no_program(self):
        before = os.environ["EPSILOSCOPE"]
        os.environ["EPSILOSCOPE"] = "/nonexistent/epsiloscope"
        try:
            with self.assertRaises(ProgramNotFound):
                epsiloscope.price(NOISE, delta=1e-6)
        finally:
            os.environ["EPSILOSCOPE"] = before


class Ledgers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "usage.ledger")
        self.ledger = Ledger.new(self.path, epsilon=1, delta=1e-6, unit="person", filter="basic")
        self.request = Scenario([{"mechanism": "pure", "epsilon": 0.4}], delta=1e-6, unit="person")

    def test_spend_commits(self):
        with self.ledger.spend(self.request, by="stats") as reservation:
            self.assertAlmostEqual(self.ledger.show()["held"], 0.4)
        self.assertEqual(reservation.state, "committed")
        shown = self.ledger.show()
        self.assertAlmostEqual(shown["spent"], 0.4)
        self.assertEqual(shown["held"], 0)
        self.assertEqual(shown["head"], self.ledger.head)
        self.ledger.verify(head=self.ledger.head)

    def test_exception_leaves_it_held(self):
        with self.assertRaises(ZeroDivisionError):
            with self.ledger.spend(self.request):
                1 / 0
        self.assertAlmostEqual(self.ledger.show()["held"], 0.4)
        self.assertEqual(self.ledger.show()["spent"], 0)

    def test_refused_runs_nothing(self):
        ran = []
        for _ in range(2):
            with self.ledger.spend(self.request):
                ran.append(1)
        self.assertFalse(self.ledger.ask(self.request)["fits"])
        with self.assertRaises(Refused) as caught:
            with self.ledger.spend(self.request):
                ran.append(1)
        self.assertEqual(len(ran), 2)
        self.assertEqual(caught.exception.status, 1)
        self.assertTrue(str(caught.exception))

    def test_cancel_gives_back(self):
        reservation = self.ledger.reserve(self.request)
        reservation.cancel("the job was never started")
        self.assertEqual(self.ledger.show()["held"], 0)

    def test_broken_file(self):
        with open(self.path, "a") as f:
            f.write("{}\n")
        with self.assertRaises(epsiloscope.EpsiloscopeError):
            self.ledger.reserve(self.request)


class Faults(unittest.TestCase):
    """Whatever goes wrong is an EpsiloscopeError: a caller has one class to catch."""

    def with_program(self, text, mode=0o755):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "program")
        with open(path, "wb") as f:
            f.write(text)
        os.chmod(path, mode)
        before = os.environ["EPSILOSCOPE"]
        os.environ["EPSILOSCOPE"] = path
        self.addCleanup(os.environ.__setitem__, "EPSILOSCOPE", before)

    def check_all(self):
        scenario = Scenario(NOISE, delta=1e-6, epsilon=1)
        training = epsiloscope.OpacusAccountant()
        training.step(noise_multiplier=1.0, sample_rate=0.01)
        for name, call in (("price", scenario.price), ("plan", lambda: scenario.plan("sigma")), ("curve", lambda: scenario.curve("profile")),
                           ("peers", scenario.peers), ("ask", lambda: Ledger("x.ledger").ask(scenario)), ("show", Ledger("x.ledger").show),
                           ("opacus", lambda: training.get_epsilon(1e-5)), ("version", epsiloscope.program_version)):
            with self.subTest(name), self.assertRaises(epsiloscope.EpsiloscopeError):
                call()

    @unittest.skipIf(os.name == "nt", "scripts are not programs here")
    def test_another_program(self):
        for text in (b"#!/bin/sh\necho {}\n", b"#!/bin/sh\necho '{\"bounds\": [{}], \"best\": {\"method\": \"x\", \"epsilon\": 1}}'\n",
                     b"#!/bin/sh\necho '[]'\n", b"#!/bin/sh\n", b"not a program", b"#!/nonexistent/shell\n"):
            self.with_program(text)
            self.check_all()

    @unittest.skipIf(os.name == "nt", "scripts are not programs here")
    def test_a_limit_of_time(self):
        self.with_program(b"#!/bin/sh\nexec sleep 600\n")
        before, epsiloscope.TIMEOUT = epsiloscope.TIMEOUT, 0.2
        self.addCleanup(setattr, epsiloscope, "TIMEOUT", before)
        with self.assertRaises(epsiloscope.TimedOut):
            epsiloscope.price(NOISE, delta=1e-6)

    def test_texts_that_are_not_unicode(self):
        for bad in ("\ud800", "a\udfffb"):
            with self.assertRaises(InputError):
                Scenario(NOISE, delta=1e-6, name=bad).price()
            with self.assertRaises(epsiloscope.EpsiloscopeError):
                epsiloscope.plan(NOISE, bad, epsilon=1, delta=1e-6)
        with self.assertRaises(epsiloscope.EpsiloscopeError):
            epsiloscope.load("a\0b")


class More(unittest.TestCase):
    def test_records_curve_harm_and_peers(self):
        training = [{"mechanism": "dp-sgd", "noise_multiplier": 1.1, "batch": 100, "steps": 10}]
        scenario = Scenario(training, delta=1e-5, records=10000)
        cost = scenario.price()
        self.assertEqual(scenario.bound("numerical").epsilon, cost.bound("numerical").epsilon)
        self.assertNotIn("risk", cost.data)  # which takes longer than the price
        harm = cost.harm()
        self.assertLessEqual(harm["advantage_lower"], harm["advantage"])
        self.assertTrue(scenario.curve("profile", points=5)["series"])
        self.assertTrue(any(p["tool"].startswith("Opacus") for p in scenario.peers()), scenario.peers())
        with self.assertRaises(InputError):
            Scenario(training, delta=1e-5).price()  # a batch of how many?
        with self.assertRaises(InputError):
            Scenario(training, delta=1e-5, records=10000, more={"records": 1}).price()

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.yaml")
            with open(path, "w") as f:
                f.write(Scenario(NOISE, delta=1e-6, unit="person").to_json())
            found = epsiloscope.load(path)
            self.assertAlmostEqual(found.price().epsilon, 1.0607018623, places=6)
            self.assertGreater(found.price().harm()["advantage"], 0)
            ledger = Ledger.new(os.path.join(folder, "a.ledger"), epsilon=3, delta=1e-6, unit="person")
            self.assertTrue(ledger.ask(found)["fits"])
            with ledger.spend(found) as reservation:
                pass
            self.assertEqual(reservation.state, "committed")
            with self.assertRaises(InputError):
                epsiloscope.load(os.path.join(folder, "none.yaml"))
        self.assertGreater(epsiloscope.load("welcome").price().epsilon, 0)


class DpAccounting(unittest.TestCase):
    def test_composes_prices_and_refuses(self):
        import pickle
        import dp_accounting
        from dp_accounting import dp_event
        step = dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(1.1))
        a = epsiloscope.DpAccountant()
        self.assertIsInstance(a, dp_accounting.PrivacyAccountant)
        self.assertEqual((a.get_epsilon(1e-5), a.get_delta(0)), (0, 0))
        self.assertIs(a.compose(step, 60), a)
        a.compose(dp_event.SelfComposedDpEvent(dp_event.ComposedDpEvent([step, dp_event.NoOpDpEvent()]), 40))
        epsilon = a.get_epsilon(1e-5)
        want = epsiloscope.price([{"mechanism": "dp-sgd", "noise_multiplier": 1.1, "sampling_rate": 0.01, "steps": 100}], delta=1e-5)
        self.assertAlmostEqual(epsilon, want.epsilon, places=6)
        self.assertLess(abs(a.get_delta(epsilon) - 1e-5), 1e-7)
        self.assertEqual(pickle.loads(pickle.dumps(a)).get_epsilon(1e-5), epsilon)
        # A class that only looks like an event of dp_accounting may mean anything; what it prints of itself is not read.
        stranger = type("GaussianDpEvent", (dp_event.DpEvent,), {"noise_multiplier": 1000.0, "__attrs_attrs__": []})()
        for bad in (stranger, dp_event.UnsupportedDpEvent(), dp_event.GaussianDpEvent(0), dp_event.GaussianDpEvent(float("nan")),
                    dp_event.PoissonSampledDpEvent(0.5, stranger), dp_event.SelfComposedDpEvent(stranger, 10)):
            self.assertFalse(a.supports(bad))
            with self.assertRaisesRegex(dp_accounting.UnsupportedEventError, "caused by subevent"):
                a.compose(bad)
        self.assertEqual(a.get_epsilon(1e-5), epsilon)  # nothing of that was added
        with self.assertRaises(TypeError):
            a.compose("GaussianDpEvent(1)")
        a.compose(dp_event.NonPrivateDpEvent())
        self.assertEqual((a.get_epsilon(0.5), a.get_delta(100)), (float("inf"), 1))
        for relation, factor in (("REPLACE_ONE", 2), ("REPLACE_SPECIAL", 1)):
            b = epsiloscope.DpAccountant(dp_accounting.NeighboringRelation[relation]).compose(dp_event.GaussianDpEvent(4.0))
            want = epsiloscope.price([{"mechanism": "gaussian", "sigma": 4.0 / factor}], delta=1e-5)
            self.assertAlmostEqual(b.get_epsilon(1e-5), want.epsilon, places=6)
        with self.assertRaises(InputError):
            epsiloscope.DpAccountant("ADD_OR_REMOVE_ONE")


class Changing:
    """A number that changes in place."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


class Opacus(unittest.TestCase):
    def test_needs_opacus_only_when_asked(self):
        check = "import sys, epsiloscope; sys.exit('opacus' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", check], check=False).returncode, 0)

    def test_accountant(self):
        accountant = epsiloscope.register_with_opacus()
        from opacus.accountants.registry import create_accountant
        training = create_accountant("epsiloscope")
        self.assertIsInstance(training, accountant)
        self.assertEqual(training.get_epsilon(1e-5), 0)  # nothing was released
        for _ in range(100):
            training.step(noise_multiplier=1.1, sample_rate=0.01)
        self.assertEqual(len(training), 100)
        self.assertEqual(training.history, [(1.1, 0.01, 100)])
        lower, upper = training.get_interval(1e-5)
        self.assertEqual(training.get_epsilon(delta=1e-5), upper)
        want = epsiloscope.price([{"mechanism": "dp-sgd", "noise_multiplier": 1.1, "sampling_rate": 0.01, "steps": 100}], delta=1e-5)
        self.assertEqual(upper, want.bound("numerical").epsilon)
        self.assertLess(lower, upper)
        state = training.state_dict()
        self.assertEqual(state["mechanism"], "epsiloscope")
        json.dumps(state)
        other = create_accountant("epsiloscope")
        other.load_state_dict(state)
        training.step(noise_multiplier=1.1, sample_rate=0.01)  # the state is a copy
        self.assertEqual(other.get_epsilon(1e-5), upper)
        with self.assertRaises(ValueError):
            other.load_state_dict({"history": [], "mechanism": "rdp"})
        for bad in (None, [], {}, {"mechanism": "epsiloscope"}, {"mechanism": "epsiloscope", "history": None}):
            with self.assertRaises(epsiloscope.EpsiloscopeError, msg=repr(bad)):
                other.load_state_dict(bad)
        for item in ((1.1, 0.01, 10, 5), (1.1, 0.01), (1.1, 0.01, float("nan")), (1.1, 0.01, -1), (1.1, 0.01, 2.5), (0, 0.01, 1), None, "abc"):
            with self.assertRaises(epsiloscope.EpsiloscopeError, msg=repr(item)):
                other.load_state_dict({"mechanism": "epsiloscope", "history": [item]})
        self.assertEqual(other.get_epsilon(1e-5), upper)  # a state that is refused changes nothing

    def test_registered_twice_and_pickled(self):
        import pickle
        self.assertIs(epsiloscope.register_with_opacus(), epsiloscope.register_with_opacus())
        from opacus.accountants.accountant import IAccountant
        training = epsiloscope.OpacusAccountant()
        self.assertIsInstance(training, IAccountant)
        training.get_optimizer_hook_fn(sample_rate=0.01)(type("Optimizer", (), {"noise_multiplier": 1.1, "accumulated_iterations": 2}))
        self.assertEqual(pickle.loads(pickle.dumps(training)).history, [(1.1, 0.02, 1)])
        done = subprocess.run([os.environ["EPSILOSCOPE"], "import", "opacus", "-"], input=json.dumps(training.state_dict()), encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        self.assertIn("noise_multiplier: 1.1", done.stdout)

    def test_refuses_what_it_cannot_price(self):
        accountant = epsiloscope.OpacusAccountant
        for history in ([(0, 0.01, 10)], [(float("nan"), 0.01, 10)], [(1.0, 1.5, 10)], [(1.0, 0.01, 2.5)], [(-1.0, 0.01, 1)]):
            a = accountant()
            a.history = history
            with self.assertRaises(InputError, msg=repr(history)):
                a.get_epsilon(1e-5)
        a = accountant()
        noise = Changing(0.5)  # as a tensor does that a schedule multiplies in place
        for _ in range(10):
            a.step(noise_multiplier=noise, sample_rate=0.01)
            noise.value *= 2
        self.assertEqual([h[0] for h in a.history], [0.5 * 2 ** i for i in range(10)])
        a = accountant()
        a.step(noise_multiplier=1.0, sample_rate=0.01)
        with self.assertRaises(InputError):
            a.get_epsilon(1e-5, alphas=[2, 3])


if __name__ == "__main__":
    unittest.main()

"""A stand-in for the registry of Opacus; written for the tests of the client."""
known = {}


def register_accountant(mechanism, accountant):
    if mechanism in known:
        raise ValueError(f"{mechanism} is registered")
    known[mechanism] = accountant


def create_accountant(mechanism):
    return known[mechanism]()

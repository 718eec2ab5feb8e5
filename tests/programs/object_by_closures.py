# entry: f
# args: 100.0, 0.05
# note: an account made of closures


def account(balance, rate):
    def deposit(amount):
        return account(balance + amount, rate)

    def year():
        return account(balance * (1.0 + rate), rate)

    return lambda: balance, deposit, year


def f(balance, rate):
    _, deposit, year = account(balance, rate)
    _, deposit, year = deposit(balance * rate)
    _, _, year = year()
    get, _, _ = year()
    return get()

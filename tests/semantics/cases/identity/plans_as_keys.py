# Objects that a module has made when it was imported are keys of its dicts, and arguments.
# file: work.py
class Plan:
    def __init__(self, name):
        self.name = name


PLANS = [Plan(name) for name in ("free", "pro", "team")]
PRICES = {plan: 10 * at for at, plan in enumerate(PLANS)}


def price(plan):
    return PRICES[plan], PRICES.get(Plan("free"))


def rank(plan):
    return PLANS.index(plan), plan in PLANS


def cheaper(plans, *, than):
    return [one.name for one in plans if PRICES[one] < PRICES[than["plan"]]]
# file: main.py
import work

for i in range(6):
    plan = work.PLANS[i % 3]
    print(plan.name, work.price(plan), work.rank(plan))
print(work.cheaper(work.PLANS, than={"plan": work.PLANS[2]}))
new = work.Plan("new")
work.PRICES[new] = 5
print(work.price(new))

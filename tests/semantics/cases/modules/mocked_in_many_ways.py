# Remote functions mocked by decorators, side effects, wrapping and specifications.
# file: work.py
def fetch(x): return {"x": x}
def send(x): return None
# file: main.py
from unittest import mock
import unittest
import work, client
@mock.patch("work.fetch", return_value={"x": "mocked"})
def t1(m):
    print(client.both(1), m.call_args)
t1()
with mock.patch.object(client, "send", side_effect=[1, ValueError("second")]) as m:
    print(client.both(2))
    try: client.both(3)
    except ValueError as e: print(e, m.call_count)
with mock.patch("work.fetch", wraps=work.fetch) as m:
    print([client.both(i) for i in range(3)], m.mock_calls)
with mock.patch("client.send", autospec=True) as m:
    client.both(5)
    try: client.send()
    except TypeError as e: print(e)
    m.assert_called_once_with({"x": 5})
with mock.patch.dict(work.__dict__, {"fetch": lambda x: "dict"}):
    print(client.both(1))
print(client.both(6))
class T(unittest.TestCase):
    def test_a(self):
        with self.assertRaises(KeyError): work.fetch(1)["y"]
        self.assertEqual(work.fetch(2), {"x": 2})
import io
r = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(T))
print(r.testsRun, r.wasSuccessful())
# file: client.py
import work
from work import send
def both(x):
    a = work.fetch(x)
    return a, send(a)

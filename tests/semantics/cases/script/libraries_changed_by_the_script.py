# The main script changes libraries at which its remote functions look.
# file: main.py
import calendar
import logging
import time
import xml.etree.ElementTree as ET

calendar.setfirstweekday(6)
ET.register_namespace("own", "http://x")
logging.addLevelName(25, "NOTICE")


def look(x):
    time.sleep(0.002)
    name = ET.tostring(ET.Element("{http://x}q"))
    return calendar.weekheader(2), name, logging.getLevelName(25), x


print([look(x) for x in range(3)])
# file: cord.toml
[remote.main]
only = ["look"]
replicas = 2
pure = true

module pf_time

import StdEnv, System.Time, Text

tm :: Tm
tm = {sec = 5, min = 4, hour = 13, mday = 9, mon = 6, year = 119, wday = 2, yday = 189, isdst = 0}

Start :: *World -> (String, Bool, Bool, Bool, Bool, Bool)
Start world
	# (Timestamp now, world) = time world
	# (Timestamp later, world) = time world
	# (Clock clock1, world) = clock world
	# (utc, world) = gmTime world
	# (here, world) = localTime world
	# a = {tv_sec = 3, tv_nsec = 999999999}
	= (strfTime "%Y-%m-%d %H:%M:%S %j" tm, later >= now, now > 1500000000, clock1 >= 0, utc.Tm.year >= 119 && here.Tm.mon < 12
	  , timespecToStamp (timestampToSpec (Timestamp 42)) == Timestamp 42)

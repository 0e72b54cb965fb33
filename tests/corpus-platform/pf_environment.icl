module pf_environment

import StdEnv, System.Environment, System.CommandLine, Data.Maybe

Start :: *World -> ([Maybe String], Int, Int, [String])
Start world
	# (unknown, world) = getEnvironmentVariable "PF_UNKNOWN" world
	# world = setEnvironmentVariable "PF_NAME" "a value" world
	# (known, world) = getEnvironmentVariable "PF_NAME" world
	# world = setEnvironmentVariable "PF_NAME" "" world
	# (empty, world) = getEnvironmentVariable "PF_NAME" world
	# world = unsetEnvironmentVariable "PF_NAME" world
	# (gone, world) = getEnvironmentVariable "PF_NAME" world
	# (path, world) = getEnvironmentVariable "PATH" world
	# world = setMany 200 world
	# (count, world) = countMany 200 0 world
	# (words, world) = getCommandLine world
	= ([unknown, known, empty, gone], if (isJust path) 1 0, count, tl words)
where
	setMany :: !Int !*World -> *World
	setMany 0 world = world
	setMany n world = setMany (n - 1) (setEnvironmentVariable ("PF_" +++ toString n) (toString (n * n)) world)

	countMany :: !Int !Int !*World -> (!Int, !*World)
	countMany 0 sum world = (sum, world)
	countMany n sum world
		# (value, world) = getEnvironmentVariable ("PF_" +++ toString n) world
		= countMany (n - 1) (sum + maybe 0 toInt value) world

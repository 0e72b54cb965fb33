module pf_process

import StdEnv, System.Process, System.Directory, System.FilePath, System.OSError, Data.Error, Data.Maybe

Start :: *World -> ([Int], [String], [Bool], String, String, Int)
Start world
	#! (true, world) = callProcess "/bin/true" [] Nothing world
	#! (status, world) = callProcess "/bin/sh" ["-c", "exit 37"] Nothing world
	#! (killed, world) = callProcess "/bin/sh" ["-c", "kill -9 $$"] Nothing world
	#! (missing, world) = callProcess "/no/such/program" ["x"] Nothing world
	#! (nowhere, world) = callProcess "/bin/true" [] (Just "/no/such/folder") world
	#! (started, world) = runProcessIO "/bin/cat" [] Nothing world
	#! (cat, io) = fromOk started
	#! (sent, world) = writePipe "some words\nand a line\n" io.stdIn world
	#! (echo, world) = readPipeBlocking io.stdOut world
	#! (running, world) = checkProcess cat world
	#! (closed, world) = closeProcessIO io world
	#! (ended, world) = waitForProcess cat world
	#! (started, world) = runProcessIO "/bin/sh" ["-c", "pwd; echo $1 $2 >&2; exit 5", "name", "an argument", "another"] (Just "/") world
	#! (shell, io) = fromOk started
	#! (status5, world) = waitForProcess shell world
	#! (out, world) = readPipeBlocking io.stdOut world
	#! (err, world) = readPipeBlocking io.stdErr world
	#! (_, world) = closeProcessIO io world
	#! (many, world) = children 20 0 world
	= ( [fromOk true, fromOk status, fromOk killed, fromOk ended, fromOk status5]
	  , [message missing, message nowhere]
	  , [isOk sent, isNothing (fromOk running), isOk closed]
	  , fromOk echo, fromOk out +++ fromOk err, many
	  )
where
	children :: !Int !Int !*World -> (!Int, !*World)
	children 0 sum world = (sum, world)
	children n sum world
		#! (status, world) = callProcess "/bin/sh" ["-c", "exit " +++ toString n] Nothing world
		= children (n - 1) (sum + fromOk status) world

	message (Ok _) = "none"
	message (Error (_, text)) = text

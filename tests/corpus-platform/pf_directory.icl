module pf_directory

import StdEnv, System.Directory, System.File, System.FilePath, System.OSError, Data.Error, Data.Func

Start :: *World -> ([String], [(String, Bool)], [String], [String], (Int, Int), [Bool])
Start world
	# (here, world) = getCurrentDirectory world
	# (made, world) = createDirectory "pf_dir" world
	# (again, world) = createDirectory "pf_dir" world
	# (ensured, world) = ensureDirectoryExists ("pf_dir" </> "a" </> "b" </> "c") world
	# (first, world) = writeFile ("pf_dir" </> "one") "1" world
	# (second, world) = writeFile ("pf_dir" </> "a" </> "two") "22" world
	# (names, world) = readDirectory "pf_dir" world
	# (missing, world) = readDirectory "pf_none" world
	# (full, world) = removeDirectory "pf_dir" world
	# (errors, sizes, world) = scanDirectory visit (0, 0) "pf_dir" world
	# (inside, world) = setCurrentDirectory ("pf_dir" </> "a") world
	# (below, world) = getCurrentDirectory world
	# (text, world) = readFile "two" world
	# (back, world) = setCurrentDirectory (fromOk here) world
	# (top, world) = getCurrentDirectory world
	# (info, world) = getFileInfo ("pf_dir" </> "a" </> "two") world
	# (gone, world) = recursiveDelete "pf_dir" world
	# (after, world) = readDirectory "pf_dir" world
	# ok = fromOk info
	= ( sort (fromOk names)
	  , [("made", isOk made), ("again", isOk again), ("ensured", isOk ensured), ("missing", isOk missing), ("full", isOk full), ("files", isOk first && isOk second), ("errors", isEmpty errors)]
	  , [message again, message missing, message full, message after]
	  , [fromOk text, fromOk below % (size (fromOk here), size (fromOk below) - 1)]
	  , sizes
	  , [isOk inside, isOk back, fromOk top == fromOk here, ok.directory, isOk gone, ok.sizeLow == 2]
	  )
where
	visit :: FilePath FileInfo (Int, Int) -> *(*World -> *((Int, Int), *World))
	visit path info (folders, bytes) = \world -> (if info.directory (folders + 1, bytes) (folders, bytes + info.sizeLow), world)

	message (Ok _) = "none"
	message (Error (_, text)) = text

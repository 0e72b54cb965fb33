module pf_file

import StdEnv, System.File, Data.Error, Text

Start :: *World -> (Bool, (String, Int), [String], Bool, Bool, Bool, String)
Start world
	# (written, world) = writeFile "pf_file.out" (join "\n" ["line " +++ toString n \\ n <- [1 .. 20]]) world
	# (text, world) = readFile "pf_file.out" world
	# (lines, world) = readFileLines "pf_file.out" world
	# (there, world) = fileExists "pf_file.out" world
	# (missing, world) = readFile "no_such_file" world
	# (counted, world) = withFile "pf_file.out" FReadText count world
	# (gone, world) = deleteFile "pf_file.out" world
	# (after, world) = fileExists "pf_file.out" world
	# text = fromOk text
	= (isOk written, (subString 0 12 text, size text), take 2 (fromOk lines) ++ drop 18 (fromOk lines), there, isError missing, after && isOk gone, toString (fromOk counted))
where
	count :: *File -> (MaybeError FileError Int, *File)
	count file
		# (text, file) = readAll file
		= (Ok (size (fromOk text)), file)

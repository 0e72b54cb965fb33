module pf_graph

import StdEnv, Data.Graph, Data.Maybe

graph :: Graph String Int
graph = snd (foldl link (0, g) [(a, b) \\ a <- indices, b <- indices | b == (a * 2) rem 9 || b == a + 4])
where
	(indices, g) = foldl node ([], emptyGraph) ["a", "b", "c", "d", "e", "f", "g", "h"]
	node (is, g) name
		# (i, g) = addNode name g
		= (is ++ [i], g)
	link (n, g) edge = (n + 1, addEdge n edge g)

Start = ( nodeCount graph, edgeCount graph, edgeIndices graph, map (\n -> directSuccessors n graph) (nodeIndices graph)
        , map (\n -> directPredecessors n graph) (nodeIndices graph), getNodeData 3 graph, isConnected graph
        , leafNodes graph, nodeCount (removeNode 2 graph), edgeCount (removeNode 2 graph)
        , foldrNodes (\i _ sum -> i + sum) 0 (mapNodes size graph), length (components graph)
        , getEdgeData (edge) graph )
where
	edge = hd (edgeIndices graph)

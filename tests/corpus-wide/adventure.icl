module adventure
// State machines: a text adventure whose world is a record, played by a script that is made from numbers.

import StdEnv

:: Room = Hall | Cellar | Garden | Tower | Library | Kitchen
:: Way = North | South | East | West | Up | Down
:: Thing = Lamp | Key | Book | Rope | Bread | Sword
:: Command = Go Way | Take Thing | Drop Thing | Look | Light | Eat | Open | Wait
:: Game = {room :: Room, bag :: [Thing], places :: [(Thing, Room)], lit :: !Bool, open :: !Bool, hunger :: !Int, score :: !Int, lines :: [String]}

instance == Room where (==) a b = index a == index b
instance == Thing where (==) a b = place a == place b
instance toString Room where toString room = roomNames.[index room]
instance toString Thing where toString thing = thingNames.[place thing]

roomNames :: {String}
roomNames = {"hall", "cellar", "garden", "tower", "library", "kitchen"}

thingNames :: {String}
thingNames = {"lamp", "key", "book", "rope", "bread", "sword"}

index :: !Room -> Int
index Hall = 0
index Cellar = 1
index Garden = 2
index Tower = 3
index Library = 4
index Kitchen = 5

place :: !Thing -> Int
place Lamp = 0
place Key = 1
place Book = 2
place Rope = 3
place Bread = 4
place Sword = 5

exit :: !Room !Way !Game -> [Room]
exit Hall North game = if game.open [Tower] []
exit Hall South _ = [Garden]
exit Hall East _ = [Library]
exit Hall Down game = if game.lit [Cellar] []
exit Cellar Up _ = [Hall]
exit Garden North _ = [Hall]
exit Garden West _ = [Kitchen]
exit Kitchen East _ = [Garden]
exit Library West _ = [Hall]
exit Tower South _ = [Hall]
exit Tower Down game = if (isMember Rope game.bag) [Garden] []
exit _ _ _ = []

say :: String !Game -> Game
say text game = {game & lines = [text : game.lines]}

perform :: !Command !Game -> Game
perform (Go way) game = case exit game.room way game of
	[room : _] -> say ("You are in the " +++ toString room) {game & room = room, score = game.score + index room}
	[] -> say "There is no way" game
perform (Take thing) game
	| isMember (thing, game.room) game.places && length game.bag < 3
		= say ("You have the " +++ toString thing) {game & bag = [thing : game.bag], places = removeMember (thing, game.room) game.places, score = game.score + 5}
	= say "You cannot" game
perform (Drop thing) game
	| isMember thing game.bag = say "Dropped" {game & bag = removeMember thing game.bag, places = [(thing, game.room) : game.places], lit = game.lit && not (thing == Lamp)}
	= say ("You have no " +++ toString thing) game
perform Look game = say (foldl (\text (thing, room) -> if (room == game.room) (text +++ " " +++ toString thing) text) "Here:" game.places) game
perform Light game
	| isMember Lamp game.bag = say "Light" {game & lit = True}
	= say "It is dark" game
perform Eat game
	| isMember Bread game.bag = say "Good" {game & bag = removeMember Bread game.bag, places = [(Bread, Kitchen) : game.places], hunger = 0, score = game.score + 20}
	= say "What?" game
perform Open game
	| isMember Key game.bag && game.room == Hall = say "The door is open" {game & open = not game.open}
	= say "Nothing happens" game
perform Wait game = game

turn :: !Game !Command -> Game
turn game command
	# game = perform command {game & hunger = game.hunger + 1}
	| game.hunger > 100 = say "You faint" {start & score = game.score / 2, lines = game.lines}
	= {game & lines = take 5 game.lines}

command :: !Int -> Command
command s = case (s >> 8) rem 12 of
	0 -> Take thing
	1 -> Drop thing
	2 -> Look
	3 -> Light
	4 -> Eat
	5 -> Open
	6 -> Take thing
	7 -> Wait
	_ -> Go way
where
	thing = things !! ((s >> 12) rem 6)
	way = ways !! ((s >> 12) rem 6)

things :: [Thing]
things = [Lamp, Key, Book, Rope, Bread, Sword]

ways :: [Way]
ways = [North, South, East, West, Up, Down]

start :: Game
start = {room = Hall, bag = [], places = [(Lamp, Library), (Key, Garden), (Book, Library), (Rope, Cellar), (Bread, Kitchen), (Sword, Tower)], lit = False, open = False, hunger = 0, score = 0, lines = []}

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

play :: !Int !Int !Int !Game -> (Int, Game)
play 0 _ h game = (h, game)
play n s h game
	# game = turn game (command s)
	= play (n - 1) (next s) ((h * 31 + sum (map size game.lines) + game.score) bitand 0xffffff) game

run :: !Int -> String
run n
	# (h, game) = play n 2024 1 start
	= toString h +++ " " +++ toString (game.score bitand 0xffff) +++ " " +++ toString game.room +++ " " +++ hd (game.lines ++ [""])

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world

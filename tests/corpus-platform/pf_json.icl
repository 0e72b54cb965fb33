module pf_json

import StdEnv, Text.GenJSON, Data.Maybe

:: Colour = Red | Green | Blue !Int
:: Item = {name :: !String, price :: !Real, tags :: [String], colour :: !Colour, next :: !Maybe Item}

derive JSONEncode Colour, Item
derive JSONDecode Colour, Item

item :: Item
item = {name = "cup \"of\" tea", price = 2.5, tags = ["hot", "wet"], colour = Blue 7, next = Just {name = "bun", price = 1.0, tags = [], colour = Red, next = Nothing}}

text = toString (toJSON item)

total :: Item -> Real
total i = i.price + maybe 0.0 total i.next

Start = ( text, fmap` total (fromJSON (fromString text)), toString (JSONObject [("a", JSONArray [JSONInt 1, JSONNull, JSONBool True])])
        , value (fromJSON (fromString "[1, 2, 30]")), value (fromJSON (fromString "[1, \"x\"]"))
        , jsonQuery` "next/name" (toJSON item), jsonEscape "a\nb\t\"c\"", toString (toJSON (1, 'c', [Just 2, Nothing])))
where
	fmap` :: (Item -> Real) (Maybe Item) -> Maybe Real
	fmap` f (Just x) = Just (f x)
	fmap` _ Nothing = Nothing
	value :: (Maybe [Int]) -> Int
	value m = maybe -1 sum m
	jsonQuery` :: String JSONNode -> Maybe String
	jsonQuery` path node = jsonQuery path node

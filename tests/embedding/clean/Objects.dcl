definition module Objects

// Objects of the host. What an `Element` and a `Node` are only the host knows: no function here looks into one.

import Basics

:: Element
:: Node
:: Named = { name :: !String, element :: !Element }
:: Shape = Dot | Box Element | Two !Element !Node

same :: Element -> Element
strictly :: !Element -> Element
both :: Element Element -> [Element]
third :: ![Element] -> Maybe Element
amount :: ![Element] -> Int
named :: !String !Element -> Named
renamed :: !Named !String -> Named
keeper :: !Element -> (Int -> Element)
ask :: (Element Element -> Element) Element Element -> Element
swap :: !Shape -> Shape
mixed :: !Node Element !String -> Shape
long :: !Element !Int -> Element
shared :: !Int Element Element -> (Element, [Element], Element)
lined :: ![Element] -> {Element}
fail :: Element !String -> Element
own :: !Int -> Element
closed :: !Element -> Bool
closedTwice :: !Element -> (Bool, Bool)
closedAndGiven :: !Element -> Element
closedOwn :: !Int -> Bool

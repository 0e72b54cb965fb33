implementation module Objects

import Basics

:: Element = Element
:: Node = Node
:: Named = { name :: !String, element :: !Element }
:: Shape = Dot | Box Element | Two !Element !Node

same :: Element -> Element
same element = element

strictly :: !Element -> Element
strictly element = element

both :: Element Element -> [Element]
both one other = [other, one]

third :: ![Element] -> Maybe Element
third [_, _, element:_] = Just element
third _ = Nothing

amount :: ![Element] -> Int
amount [_:rest] = 1 + amount rest
amount [] = 0

named :: !String !Element -> Named
named name element = {name = name, element = element}

renamed :: !Named !String -> Named
renamed named name = {named & name = name}

keeper :: !Element -> (Int -> Element)
keeper element = \n -> element

ask :: (Element Element -> Element) Element Element -> Element
ask choose one other = choose other one

swap :: !Shape -> Shape
swap (Two element node) = Two element node
swap (Box element) = Box element
swap Dot = Dot

mixed :: !Node Element !String -> Shape
mixed node element text
	| stringSize text == 0 = Box element
	= Two element node

// Something is computed while the object is alive, of a list that is used twice: there is garbage.
long :: !Element !Int -> Element
long element n
	| total numbers + total numbers == 0 = element
	= element
where
	numbers = upto 1 n
	total [x:rest] = x + total rest
	total [] = 0

// Who asks first evaluates the choice, for all three.
shared :: !Int Element Element -> (Element, [Element], Element)
shared n one other = (chosen, [chosen, one, chosen], chosen)
where
	chosen = pick (upto 1 n)
	pick [_:rest] = pick rest
	pick [] = if (n > 2) one other

lined :: ![Element] -> {Element}
lined elements=:[first:_] = fill 0 elements (newA (amount elements) first)
where
	fill :: !Int ![Element] !*{Element} -> *{Element}
	fill n [element:rest] new = fill (n + 1) rest (putA new n element)
	fill n [] new = new

fail :: Element !String -> Element
fail element text
	| stringSize text == 0 = element
	= halt text

// A value that is no object of the host.
own :: !Int -> Element
own n = Element

// By hand: whether the host has got it now, which it has if that was not done before.
closed :: !Element -> Bool
closed element = giveBack element

closedTwice :: !Element -> (Bool, Bool)
closedTwice element
	# first = giveBack element
	| first = (first, giveBack element)
	= (first, first)

// It is an error to use it afterwards.
closedAndGiven :: !Element -> Element
closedAndGiven element
	| giveBack element = element
	= halt "somebody has closed it"

// Whatever this is, it is none of the host's.
closedOwn :: !Int -> Bool
closedOwn n = giveBack (own n)

giveBack :: !Element -> Bool
giveBack element
	= code inline {
	.d 1 0
		jsr giveBackO
	.o 0 1 b
	}

halt :: !{#Char} -> .a
halt msg
	= code inline {
	.d 1 0
		jsr print_string_
	.o 0 0
		halt
	}

newA :: !Int Element -> *{Element}
newA n x = code inline { create_array _ 1 0 }
putA :: !*{Element} !Int Element -> *{Element}
putA a i x = code inline { update _ 1 0 }

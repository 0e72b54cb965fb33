module pf_html

import StdEnv, Text.HTML, Text.CSV, Text.GenXML, Data.Maybe, Data.Error

page = DivTag [ClassAttr "x", IdAttr "main"] [H1Tag [] [Text "Title & more"], UlTag [] [LiTag [] [Text (toString n)] \\ n <- [1 .. 4]], BrTag []]

Start = ( toString page, [f \\ f <- ["a", "b,c"]] )

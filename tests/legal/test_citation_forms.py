"""Forms in which acts of every era are cited, with the CELEX id that each must give (PITFALLS: CELEX; EU interinstitutional
numbering: before 1.1.2015 number and year stand as the type of act wants, since then domain and year come first)."""

from __future__ import annotations

import pytest

from regreact.legal.citations import find_citations

# One citation a line: what is printed, and the ids in order.
FORMS = """
Regulation (EU) 2020/852 | 32020R0852
Regulation (EU) 2019/631 | 32019R0631
Regulation (EU) 2018/858 | 32018R0858
Regulation (EU) 2016/679 | 32016R0679
Regulation (EU) 2021/1119 | 32021R1119
Regulation (EU) 2024/573 | 32024R0573
Regulation (EU, Euratom) 2018/1046 | 32018R1046
Regulation (EU) No 517/2014 | 32014R0517
Regulation (EU) No 995/2010 | 32010R0995
Regulation (EU) No 1257/2013 | 32013R1257
Regulation (EU) No 168/2013 | 32013R0168
Regulation (EU) No 528/2012 | 32012R0528
Regulation (EU) No 1303/2013 | 32013R1303
Regulation (EC) No 1907/2006 | 32006R1907
Regulation (EC) No 1272/2008 | 32008R1272
Regulation (EC) No 338/97 | 31997R0338
Regulation (EC) No 1005/2009 | 32009R1005
Regulation (EC) No 715/2007 | 32007R0715
Regulation (EC) No 66/2010 | 32010R0066
Regulation (EC) No 1221/2009 | 32009R1221
Regulation (EC) No 834/2007 | 32007R0834
Regulation (EC) No 2157/2001 | 32001R2157
Regulation (EEC) No 2455/92 | 31992R2455
Regulation (EEC) No 793/93 | 31993R0793
Regulation (EEC) No 2137/85 | 31985R2137
Regulation (Euratom) No 300/2007 | 32007R0300
Regulation (Euratom) No 237/2014 | 32014R0237
Council Regulation (EC) No 1/2003 | 32003R0001
Council Regulation (EC) No 1100/2007 | 32007R1100
Council Regulation (EEC) No 3922/91 | 31991R3922
Council Regulation (Euratom) 2021/765 | 32021R0765
Commission Regulation (EU) 2019/424 | 32019R0424
Commission Regulation (EU) 2017/2400 | 32017R2400
Commission Regulation (EU) No 582/2011 | 32011R0582
Commission Regulation (EU) No 548/2014 | 32014R0548
Commission Regulation (EU) No 142/2011 | 32011R0142
Commission Regulation (EC) No 692/2008 | 32008R0692
Commission Delegated Regulation (EU) 2021/2139 | 32021R2139
Commission Delegated Regulation (EU) 2019/331 | 32019R0331
Commission Delegated Regulation (EU) No 812/2013 | 32013R0812
Delegated Regulation (EU) 2023/2486 | 32023R2486
Commission Implementing Regulation (EU) 2018/2066 | 32018R2066
Commission Implementing Regulation (EU) 2021/447 | 32021R0447
Commission Implementing Regulation (EU) No 923/2012 | 32012R0923
Implementing Regulation (EU) 2016/1628 | 32016R1628
Directive (EU) 2018/2001 | 32018L2001
Directive (EU) 2019/944 | 32019L0944
Directive (EU) 2019/883 | 32019L0883
Directive (EU) 2020/2184 | 32020L2184
Directive (EU) 2015/2193 | 32015L2193
Directive (EU) 2023/1791 | 32023L1791
Directive 2010/75/EU | 32010L0075
Directive 2011/65/EU | 32011L0065
Directive 2012/27/EU | 32012L0027
Directive 2014/94/EU | 32014L0094
Directive 2013/59/Euratom | 32013L0059
Directive 2009/71/Euratom | 32009L0071
Directive 2011/70/Euratom | 32011L0070
Directive 96/29/Euratom | 31996L0029
Directive 2008/98/EC | 32008L0098
Directive 2009/147/EC | 32009L0147
Directive 2000/60/EC | 32000L0060
Directive 2003/87/EC | 32003L0087
Directive 2006/66/EC | 32006L0066
Directive 2004/35/CE | 32004L0035
Directive 98/70/EC | 31998L0070
Directive 1999/31/EC | 31999L0031
Directive 94/62/EC | 31994L0062
Directive 97/68/EC | 31997L0068
Directive 92/43/EEC | 31992L0043
Directive 91/271/EEC | 31991L0271
Directive 86/278/EEC | 31986L0278
Directive 79/409/EEC | 31979L0409
Directive 67/548/EEC | 31967L0548
Directive 76/160/EEC | 31976L0160
Council Directive 92/43/EEC | 31992L0043
Council Directive 91/676/EEC | 31991L0676
Council Directive 1999/31/EC | 31999L0031
Council Directive (EU) 2016/2258 | 32016L2258
Council Directive 2009/71/Euratom | 32009L0071
Commission Directive 2006/141/EC | 32006L0141
Commission Directive 93/67/EEC | 31993L0067
Commission Directive (EU) 2019/1831 | 32019L1831
Commission Delegated Directive (EU) 2015/863 | 32015L0863
Commission Implementing Directive 2014/97/EU | 32014L0097
Decision No 676/2002/EC | 32002D0676
Decision 676/2002/EC | 32002D0676
Decision No 1386/2013/EU | 32013D1386
Decision No 406/2009/EC | 32009D0406
Decision No 768/2008/EC | 32008D0768
Decision 2000/532/EC | 32000D0532
Decision 2014/955/EU | 32014D0955
Decision 2011/753/EU | 32011D0753
Decision (EU) 2017/1508 | 32017D1508
Decision (EU) 2019/61 | 32019D0061
Council Decision 2003/33/EC | 32003D0033
Council Decision (EU) 2016/1841 | 32016D1841
Council Decision 94/800/EC | 31994D0800
Council Decision 87/369/EEC | 31987D0369
Commission Decision 2000/532/EC | 32000D0532
Commission Decision (EU) 2021/1870 | 32021D1870
Commission Decision 94/904/EC | 31994D0904
Commission Delegated Decision (EU) 2019/708 | 32019D0708
Commission Implementing Decision (EU) 2016/902 | 32016D0902
Commission Implementing Decision (EU) 2020/2009 | 32020D2009
Commission Implementing Decision 2012/135/EU | 32012D0135
Commission Implementing Decision 2013/163/EU | 32013D0163
Implementing Decision (EU) 2018/1147 | 32018D1147
Recommendation 2013/179/EU | 32013H0179
Commission Recommendation (EU) 2021/2279 | 32021H2279
Commission Recommendation 2013/179/EU | 32013H0179
Recommendation (EU) 2019/786 | 32019H0786
Commission Recommendation 2003/361/EC | 32003H0361
Council Recommendation 1999/519/EC | 31999H0519
Annex V to Directive (EU) 2018/2001 | 32018L2001
Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001 | 32018L2001
Article 3(1), point (h), of Regulation (EU) 2019/631 | 32019R0631
Articles 4 and 11 of Directive 2000/60/EC | 32000L0060 32000L0060
Table 1 of Appendix 9 to Annex I to Regulation (EU) No 582/2011 | 32011R0582
Directives 92/43/EEC and 2009/147/EC | 31992L0043 32009L0147
Directives 91/271/EEC, 2008/105/EC, (EU) 2020/2184 and 76/160/EEC | 31991L0271 32008L0105 32020L2184 31976L0160
Regulations (EC) No 663/2009 and (EC) No 715/2009 | 32009R0663 32009R0715
Regulations (EU) No 1305/2013 and (EU) 2021/2115 | 32013R1305 32021R2115
Regulation (EU) 2019/1021 or Directive 2011/65/EU | 32019R1021 32011L0065
Directive 2009/33/EC of the European Parliament and of the Council | 32009L0033
Directive 2008/98/EC, and Article 5 of that Directive | 32008L0098 32008L0098
Regulation (EU) No 510/2011; Annex II to that Regulation | 32011R0510 32011R0510
"""
TABLE = [tuple(part.strip() for part in line.split("|")) for line in FORMS.strip().splitlines()]


def test_the_table_is_long_enough_and_has_no_line_twice() -> None:
    assert len({text for text, _ in TABLE}) == len(TABLE) >= 120


@pytest.mark.parametrize(("text", "ids"), TABLE, ids=[t for t, _ in TABLE])
def test_a_citation_gives_its_celex_id(text: str, ids: str) -> None:
    found = find_citations(f"The mill is run in accordance with {text}, and its dust is swept.")
    assert [c.celex for c in found] == ids.split()

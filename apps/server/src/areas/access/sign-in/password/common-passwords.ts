/**
 * Passwords that attackers try first, in lower case, eight characters and more: from published leak statistics,
 * including Chinese ones (520 and 1314 for "I love you for life", woaini, keyboard rows, lucky dates).
 */
const words = `
12345678 123456789 1234567890 12345678910 123456789a 123456789q 123456789abc 123456789qq 123456abc 123456aa 1234567a
12345678a 12345678q 123456qq 123456ab 123456qwe 123456asd 123456zxc 1234qwer 1234asdf 123qweasd 123qweasdzxc 123qwe123
123abc123 123123123 1231231234 12312312 12341234 123412341234 123321123 123321123321 12344321 1234554321 123454321
11111111 111111111 1111111111 22222222 33333333 44444444 55555555 66666666 666666666 77777777 88888888 888888888
8888888888 99999999 999999999 00000000 000000000 0000000000 11112222 11223344 1122334455 112233445566 11221122 12121212
123123qq 121212121 123698745 1236987456 147258369 147258369a 1472583690 741852963 159357159 159753159 963852741
987654321 9876543210 0987654321 87654321 876543210 01234567 012345678 0123456789 147896325 789456123 7894561230
789789789 456456456 321321321 654321654321 112112112 110110110 119119119 120120120 101010101 10101010 20082008 20202020
20212021 20222022 20232023 20242024 20252025 20262026 19491001 19901990 19881988 19861986 19871987 19891989 13131313
5201314520 52013145 520131400 5201314a 5201314aa 5201314qq 52052052 520520520 520520520520 13145201 1314520520
1314521521 13141314 1314151617 131452000 201314520 77585210 7758521521 77585217758521 woaini520 woaini521 woaini123
woaini1314 woaini5201314 woaini123456 woainima woaiwojia woaizhongguo iloveyou iloveyou1 iloveyou520 iloveyou1314
a123456789 a12345678 a1234567 a1b2c3d4 a1b2c3d4e5 a123123123 aa123456 aa12345678 aa123456789 aaa123456 aaaaaaaa
aaaaaaaaaa aaaa1111 ab123456 abc12345 abc123456 abc1234567 abc12345678 abc123456789 abcd1234 abcd12345 abcd123456
abcdefgh abcdefg1 abcdefg123 abcabcabc asd123456 asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl1 as123456 admin123
admin1234 admin12345 admin123456 admin888 admin8888 admin666 adminadmin administrator admin@123 admin@1234 admin@123456
admin123! root1234 root12345 rootroot password password1 password12 password123 password1234 password! p@ssw0rd
p@ssw0rd1 p@ssw0rd123 p@ssword passw0rd passw0rd1 pass1234 pass@123 pass@word1 q123456789 q1w2e3r4 q1w2e3r4t5 qaz12345
qazwsx123 qazwsxedc qazwsxedcrfv qazwsxed qq123456 qq12345678 qq123456789 qqqqqqqq qwe12345 qwe123456 qwe123qwe
qweasdzxc qweasd123 qwer1234 qwer12345 qwer123456 qwerasdf qwerqwer qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234
qwerty12345 qwerty123456 qwert12345 w123456789 wang1234 wang123456 zhang123 zhang123456 zhang520 liu123456 chen123456
lin123456 huang123 caonima123 caonimabi nihao123 nihao1234 nihao123456 dearbook dearbooks xiaoming xiaoxiao xiaoyu123
zaq12wsx zaq1zaq1 zaq1xsw2 zaq1@wsx 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qazxsw2 !qaz2wsx
!qaz@wsx 1234!@#$ zxc123456 zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnm,./ zxcvzxcv z123456789 s123456789 l123456789 c123456789
x123456789 y123456789 welcome1 welcome123 welcome@123 changeme changeme1 changeme123 letmein1 letmein123 football1
baseball1 superman sunshine princess starwars computer internet trustno1 whatever football baseball jordan23 michelle
jennifer liverpool chelsea1 charlie1 dragon123 master123 monkey123 shadow123 test1234 test12345 test123456 testtest
user1234 user123456 guest1234 police110 police123 police123456 school123 school123456 student123 teacher123 jingcha110
jiaoshi123 xuexiao123 gongan110 baoan123 tocsin123 tocsin1234 11111111a 00000000a aini1314 ainiyiwannian tiantian
meiyoumima wodemima wodemima123 mima1234 mima123456
`

export const commonPasswords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean))

const productNames = ['tocsin', 'xiaojinglian', '校警联']

/** Whether a password in lower case contains the name of the product. */
export const containsProductName = (plain: string): boolean => productNames.some((name) => plain.includes(name))

/** Parts that people combine into passwords: words, names, keyboard rows. */
const pieces = `
password passwd passw0rd p@ssw0rd p@ssword pass mima admin administrator root user guest test demo login master manager
super system server public secret private default change changeme welcome hello nihao letmein iloveyou love woaini aini
wodemima dragon monkey football baseball superman sunshine princess shadow michael jordan charlie computer internet
qwertyuiop qwerty qwert qwer qwe asdfghjkl asdfgh asdfg asdf asd zxcvbnm zxcvbn zxcv zxc qazwsxedc qazwsx qaz wsx edc rfv
1qaz 2wsx 3edc 4rfv zaq1 xsw2 q1w2e3r4 q1w2e3 1q2w3e4r 1q2w3e a1b2c3 abcdefg abcdef abcde abcd abc aaa qqq xxx zzz
wang zhang liu chen yang huang zhao zhou wu xu sun ma zhu hu guo lin luo gao zheng liang xie song tang deng feng han cao
beijing shanghai guangzhou shenzhen china zhongguo school xuexiao police jingcha gongan baoan teacher student laoshi
xuesheng alarm ${productNames.join(' ')} !@#$%^&*() !@#$%^&* !@#$%^ !@#$`
  .split(/\s+/)
  .filter(Boolean)
  // Tries long words first: a short word that is part of a long one must not match instead of it.
  .toSorted((a, b) => b.length - a.length)

/** Digits no longer than a telephone number: years, birthdays, 123456, 5201314. */
const figures = '(?<![0-9])[0-9]{1,11}(?![0-9])'
const known = new RegExp([...pieces.map((piece) => RegExp.escape(piece)), figures].join('|'), 'g')
/** The minimum number of other characters; common leading and trailing signs do not count. */
const OWN = 3
const USUAL_SIGNS = 4

/** Whether a password in lower case is in the list, or consists of such parts, signs and the user's own name. */
export const isCommon = (plain: string, username: string): boolean => {
  if (commonPasswords.has(plain)) return true
  const nameless = username.length < OWN ? plain : plain.replaceAll(username, ' ')
  const left = nameless.replaceAll(known, '').replaceAll(/\s/g, '')
  const letters = left.replaceAll(/[^\p{L}\p{N}]/gu, '').length
  return letters + Math.max(0, left.length - letters - USUAL_SIGNS) < OWN
}

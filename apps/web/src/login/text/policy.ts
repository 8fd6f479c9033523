import type { Language } from './texts.ts'

type Policy = { title: string; parts: readonly (readonly [heading: string, text: string])[] }

/** The privacy policy of an account: which data is stored, why, for whom, how long, and the user's rights. */
export const policies: Record<Language, Policy> = {
  'zh-cn': {
    title: '个人信息处理说明',
    parts: [
      ['处理哪些信息', '用户名、姓名、手机号、邮箱、所属部门和角色；登录的时间、地址和浏览器；在系统中的操作记录。'],
      ['为什么处理', '确认操作人身份，在报警时联系到值守人员，并为每一次接警和处置留下可核查的记录。'],
      [
        '谁可以看到',
        '本单位的系统管理员，以及因处置警情需要与您联系的值守人员。手机号和邮箱默认以掩码显示，查看完整内容会被记录。',
      ],
      ['保存多久', '账号信息保存至账号注销；登录日志和操作日志至少保存六个月，与警情有关的记录随警情保存。'],
      [
        '您的权利',
        '您可以在个人中心查看和更正自己的信息，也可以向本单位的系统管理员申请更正或注销账号。依法须保存的记录不随账号删除。',
      ],
    ],
  },
  en: {
    title: 'Handling of personal data',
    parts: [
      [
        'What is kept',
        'User name, name, mobile number, e-mail, department and roles; time, address and browser of each sign-in; what was done in the console.',
      ],
      [
        'Why',
        'To know who acts, to reach whoever is on duty when an alarm comes in, and to prove afterwards how it was handled.',
      ],
      [
        'Who sees it',
        'Administrators of your unit, and people on duty who must reach you about an alarm. Numbers and addresses are masked; unmasking is recorded.',
      ],
      [
        'For how long',
        'Account data until the account is closed; records of sign-ins and actions for at least six months, those about an alarm as long as the alarm itself.',
      ],
      [
        'Your rights',
        'See and correct your data under “My account”, or ask an administrator of your unit to correct them or to close the account. Records that the law requires stay.',
      ],
    ],
  },
}

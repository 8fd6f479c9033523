import type { Topic } from '../topic.ts'

/** One explanation for each field of a warn rule. */
export const ruleHelp = {
  name: ['值班人员在警情上看到的规则名称。', 'The name of the rule shown on alarms.'],
  nameEn: ['英文界面显示的名称；留空则显示中文名称。', 'The name on English screens. Empty: the Chinese name.'],
  enabled: [
    '停用的规则不再匹配新信号，已产生的警情不受影响。',
    'A disabled rule matches no new signals. Alarms it raised stay unchanged.',
  ],
  shadow: [
    '影子运行的规则不产生警情，也不影响其他规则的结果；没有其他规则匹配的设备事件会注明“影子运行”。',
    'A shadow rule raises no alarms and does not affect other rules. Events that match no other rule are marked as shadow.',
  ],
  priority: ['多条规则同时匹配时，数字小的先用。', 'When several rules match, the lowest number is used.'],
  matchCodes: [
    '设备上报的代码，满足其一即匹配。可输入自定义代码：大写字母、数字和下划线。',
    'Codes that devices report; any of them matches. Custom codes: capitals, digits and underscores.',
  ],
  condition: [
    '立即：每个信号都触发；时长内重复：规定时长内达到次数才触发；持续时长：持续不恢复才触发；无数据：超过时长没有消息才触发。',
    'At once: every signal. Repeated within: that many signals within the time. Lasting: no recovery within the time. No data: no signal within the time.',
  ],
  repeatCount: ['在时长内达到该次数才触发。', 'Number of signals required within the time.'],
  withinSec: ['重复、持续或无数据条件所用的时长。', 'The time used by the conditions repeated, lasting and no data.'],
  class: [
    '决定警情的类别、声音和处置要求。只有设备异常和值守异常可以自动结束。',
    'Determines sound and handling. Only device trouble and duty gap can close automatically.',
  ],
  level: [
    '一级最急。一级和二级须由另一人结案。',
    'Level 1 is the most urgent. Levels 1 and 2 must be closed by another person.',
  ],
  dedupBy: [
    '同一设备、区域或学校的后续信号归入同一条未结束的警情。',
    'Later signals of the same device, zone or school are added to the open alarm.',
  ],
  reopenWindowSec: [
    '处置完成后，在此时限内的新信号使原警情再次响铃，而不是新建。0 表示总是新建。',
    'Within this time after an alarm was resolved, a new signal rings it again. 0: always a new alarm.',
  ],
  minConfidence: [
    '语音关键词的可信度达到该值（0 到 1）才匹配；留空则不限。',
    'Minimum confidence of a voice keyword (0 to 1). Empty: no minimum.',
  ],
  minDb: ['语音关键词的声级达到该值才匹配；留空则不限。', 'Minimum loudness of a voice keyword. Empty: no minimum.'],
  recoverCodes: [
    '收到这些代码视为设备恢复，会在警情上标明。',
    'These codes mean that the condition is over. The alarm shows it.',
  ],
  autoRecover: [
    '收到恢复代码后，待接警或刚接警的警情自动结束。',
    'After a recovery code, an unclaimed or just claimed alarm closes automatically.',
  ],
  deptIds: ['只对这些部门及其下级的设备有效；留空则不限。', 'Only for devices of these departments. Empty: any.'],
  schoolIds: ['只对这些学校的设备有效；留空则不限。', 'Only for devices of these schools. Empty: any.'],
  modelIds: ['只对这些型号有效；留空则不限。', 'Only for these models. Empty: any.'],
  schedule: [
    '按校历判断：上课日 07:30–18:00 为上课时间，22:00–06:00 为夜间。求助信号不受限制。',
    'By the school calendar: school hours 07:30–18:00, night 22:00–06:00. Calls for help are never limited.',
  ],
  t1Sec: [
    '超过此时限无人接警：再次响铃催办；一级紧急报警直接转警方。',
    'Not claimed within this time: it rings again. A level 1 panic is handed to police.',
  ],
  t2Sec: [
    '接警后超过此时限没有处置：提醒值班长，警情退回队列并再次响铃。',
    'No action within this time after the claim: the shift lead is told, and the alarm is released and rings again.',
  ],
  t3Sec: [
    '核实为危及生命后超过此时限没有转警方：再次催办；一级紧急报警直接转警方。',
    'Life in danger and not handed to police within this time: it rings again. A level 1 panic is handed to police.',
  ],
  t4Sec: ['派人后超过此时限没有到场，提醒值班长。', 'Sent and not on scene within this time: the shift lead is told.'],
  t5Sec: ['超过此时限仍未处置完成，转入督办。', 'Not resolved within this time: a supervision order starts.'],
} satisfies Topic

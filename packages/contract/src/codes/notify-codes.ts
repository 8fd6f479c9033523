import { type Code, code } from './code.ts'

/** The states of a delivery; here, because error messages name them too. */
export const deliveryStateLabels = {
  PLANNED: ['待发', 'Planned'],
  QUEUED: ['排队', 'Queued'],
  SENDING: ['发送中', 'Sending'],
  SENT: ['已发出', 'Sent'],
  DELIVERED: ['已送达', 'Delivered'],
  READ: ['已读', 'Read'],
  REPLIED: ['已回复', 'Replied'],
  FAILED: ['未送达', 'Failed'],
  EXPIRED: ['已过期', 'Expired'],
  SUPPRESSED: ['未发', 'Not sent'],
  CANCELLED: ['已取消', 'Cancelled'],
} as const

/** Of deliveries and escalation policies. */
export const notifyCodes = {
  deliveryState: {
    ...code(1_009_001_000, '「{state}」的消息不能重发', 'A message that is “{state}” cannot be sent again'),
    words: { state: deliveryStateLabels },
  },
  deliveryNobody: code(
    1_009_001_001,
    '没有可送达的地址，请先在账号中填写联系方式',
    'There is no address to send to; add the contact to the account first',
  ),
  channelNotConfigured: code(
    1_009_002_000,
    '该渠道尚未配置，请先在「参数配置」填写',
    'The channel is not configured; fill in its settings first',
  ),
  policyTarget: code(
    1_009_002_001,
    '该类别和级别已有启用的策略，请修改或停用原有策略',
    'There is an enabled policy for this class and level; change or disable that one',
  ),
} satisfies Record<string, Code>

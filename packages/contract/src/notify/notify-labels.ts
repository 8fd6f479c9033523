import { deliveryStateLabels } from '../codes/notify-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { DeliveryChannel, DeliveryReason, DeliverySubject } from './delivery.ts'
import type { DeliveryState } from './delivery-machine.ts'
import type { TargetKind } from './policy.ts'

const deliveryState: EnumLabels<DeliveryState> = deliveryStateLabels

const deliveryChannel: EnumLabels<DeliveryChannel> = {
  INAPP: ['站内', 'In-app'],
  SMS: ['短信', 'Text message'],
  VOICE: ['电话', 'Voice call'],
  EMAIL: ['邮件', 'E-mail'],
  WECOM_ROBOT: ['企业微信群', 'WeCom group'],
  DINGTALK: ['钉钉群', 'DingTalk group'],
  FEISHU: ['飞书群', 'Feishu group'],
  WEBHOOK: ['外部接口', 'Webhook'],
}

const deliverySubject: EnumLabels<DeliverySubject> = {
  RECORD: ['警情', 'Alarm'],
  ASSIGNMENT: ['派人任务', 'Task'],
  SITUATION: ['警单', 'Incident'],
  ORDER: ['督办单', 'Supervision order'],
  ANNOUNCEMENT: ['公告', 'Announcement'],
  DUTY: ['值守', 'Duty'],
  DRILL: ['演练', 'Drill'],
  TEST: ['测试消息', 'Test message'],
  REPORT: ['报表', 'Report'],
}

const deliveryReason: EnumLabels<DeliveryReason> = {
  NO_RECIPIENT: ['无可通知的人', 'No recipient'],
  NO_ADDRESS: ['账号未填联系方式', 'The account has no such contact'],
  NOT_CONFIGURED: ['渠道未配置', 'Channel not configured'],
  CLAIMED: ['已有人接警', 'Claimed'],
  RECEIVED: ['已在其他渠道收到', 'Received by another channel'],
  ENDED: ['事项已结束', 'The matter ended'],
  REVOKED: ['已撤回', 'Revoked'],
  RECIPIENT_DISABLED: ['账号已停用', 'The account is disabled'],
  SUPERSEDED: ['通知已重新开始', 'The notification started again'],
  QUIET_HOURS: ['本人免打扰时间', 'Quiet hours of the person'],
  NOT_CHOSEN: ['本人未登记该渠道', 'The person did not register this channel'],
}

const targetKind: EnumLabels<TargetKind> = {
  ROLE: ['角色', 'Role'],
  USER: ['人员', 'Person'],
  STATION: ['辖区派出所', "The school's station"],
  POST: ['当班岗位', 'Post on shift'],
}

export const notifyLabels = { deliveryState, deliveryChannel, deliverySubject, deliveryReason, targetKind }
export type NotifyLabelKind = keyof typeof notifyLabels

export const notifyLabel = (kind: NotifyLabelKind, value: string, lang: Lang): string =>
  lookupLabel(notifyLabels[kind], value, lang)

import type { EnumLabels, Lang } from '../field.ts'
import { BATTERY_AHEAD_DAYS, NEVER, type ReadinessCode } from './readiness.ts'

const readinessCode: EnumLabels<ReadinessCode> = {
  OFFLINE: ['不在线', 'Not connected'],
  PRESS: ['久未按过或测试', 'Not pressed or tested for long'],
  STATION: ['学校未指定派出所', 'School has no police station'],
  RECIPIENT: ['学校无人可接警', 'Nobody at the school can claim alarms'],
  BATTERY: ['电量低', 'Low battery'],
  BATTERY_AHEAD: ['电池即将耗尽', 'Battery ends soon'],
  HEARTBEAT: ['近 7 天断线较多', 'Often disconnected in 7 days'],
  FLAPPING: ['时断时续', 'Connection keeps dropping'],
  SHIFT: ['此刻无人在岗', 'Nobody is on duty now'],
  SHIFT_AHEAD: ['24 小时内有覆盖缺口', 'A coverage gap within 24 hours'],
  CLOCK: ['时钟偏差', 'Clock is wrong'],
  PLACE: ['位置没有坐标或轮廓', 'Place has no position or outline'],
  FIRMWARE: ['固件不是最新发布版', 'Firmware is not the released one'],
  PROCEDURE: ['报警没有已发布的预案', 'No published response plan for its alarms'],
}

export const readinessLabels = { readinessCode }

/** A reason with its value as a text: 「112 天没有人按过」. */
export const readinessText = (code: ReadinessCode, value: number, lang: Lang): string => {
  const pick = (zh: string, en: string) => (lang === 'en' ? en : zh)
  switch (code) {
    case 'PRESS':
      return value >= NEVER
        ? pick('从未按过或测试', 'Never pressed or tested')
        : pick(`${value} 天没有人按过`, `Nobody has pressed it for ${value} days`)
    case 'BATTERY':
      return pick(`电量 ${100 - value}%`, `Battery at ${100 - value} %`)
    case 'BATTERY_AHEAD':
      return pick(`电池约 ${BATTERY_AHEAD_DAYS - value} 天后耗尽`, `Battery ends in ${BATTERY_AHEAD_DAYS - value} days`)
    case 'HEARTBEAT':
      return pick(`近 7 天有 ${value}% 的时间断线`, `Disconnected ${value} % of the last 7 days`)
    case 'CLOCK':
      return pick(`时钟偏差 ${value} 秒`, `Clock is off by ${value} s`)
    default:
      return readinessCode[code][lang === 'en' ? 1 : 0]
  }
}

/** Lost points as a text; a school of many devices may lose a fraction, which is not nothing. */
export const lostPointsText = (points: number): string => (points === 0 ? '< 1' : `−${points}`)

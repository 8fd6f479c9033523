import { type MyDelivery, myDeliveries } from '@tocsin/contract/notify/delivery'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { getMessageApi } from '#ui/notify.ts'
import { useMedium } from '#ui/responsive/media.ts'
import { vibrate } from '#ui/responsive/vibrate.ts'
import './in-app.css'

/** More at once would cover the page, on a phone all of it; the others wait until one is read. */
const MAX_SHOWN = 2
const MAX_SHOWN_PHONE = 1
const VIBRATION_MS = [400, 200, 400]

const keyOf = (id: number): string => `delivery ${id}`

type Paths = { alarms: readonly (string | undefined)[]; incidents: string | undefined }

/**
 * The desk and the task page display and sound alarms themselves, and the task page does so with the user's tasks. So
 * does the dispatch desk with incidents whose message leads there.
 */
const isShownByPage = ({ subjectType, link }: MyDelivery, pathname: string, paths: Paths): boolean => {
  if (subjectType === 'RECORD') return paths.alarms.includes(pathname)
  if (subjectType === 'SITUATION') return pathname === paths.incidents && link?.split('?')[0] === pathname
  return subjectType === 'ASSIGNMENT' && link === pathname
}

const isSameSubject = (some: MyDelivery, other: MyDelivery): boolean =>
  some.subjectType === other.subjectType && some.subjectId === other.subjectId

/** Only the newest about each subject: a reminder replaces what it reminds of. */
const newestOf = (messages: readonly MyDelivery[]): MyDelivery[] =>
  messages.filter((message) => !messages.some((other) => other.id > message.id && isSameSubject(other, message)))

/** In-app messages over every page: reported as delivered when displayed, and removed when read or needless. */
export const InAppMessages = ({ deskPath }: { deskPath: string | undefined }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const pathOf = usePathOf()
  const [taskPath, incidentPath] = [pathOf('task/index'), pathOf('policeSituation/desk')]
  const isMedium = useMedium()
  const { data } = useQuery(inlineQuery(myDeliveries.list))
  const delivered = useApiMutation(myDeliveries.delivered)
  const read = useApiMutation(myDeliveries.read)
  const reported = useRef(new Set<number>())
  const shown = useRef(new Set<number>())

  const close = useEffectEvent((id: number) => {
    shown.current.delete(id)
    getMessageApi()?.notification.destroy(keyOf(id))
  })
  const answer = useEffectEvent((message: MyDelivery, isOpened: boolean) => {
    close(message.id)
    const older = (data ?? []).filter((other) => other.id < message.id && isSameSubject(other, message))
    read.mutate({ body: { ids: [message.id, ...older.map(({ id }) => id)] } })
    if (isOpened && message.link) void navigate(message.link)
  })
  const show = useEffectEvent((message: MyDelivery) => {
    const { id, level, title, body, link } = message
    shown.current.add(id)
    if (level <= 2) vibrate(VIBRATION_MS)
    getMessageApi()?.notification[level <= 2 ? 'warning' : 'info']({
      key: keyOf(id),
      title,
      description: body,
      duration: 0,
      // On a phone the lower edge is for the thumb.
      placement: isMedium ? 'bottomRight' : 'top',
      onClose: () => shown.current.has(id) && answer(message, false),
      actions: (
        <Flex gap="small">
          <Button onClick={() => answer(message, false)}>{t('delivery.gotIt')}</Button>
          {link && (
            <Button type="primary" onClick={() => answer(message, true)}>
              {t('delivery.show')}
            </Button>
          )}
        </Flex>
      ),
    })
  })
  const report = useEffectEvent((ids: number[]) => {
    for (const id of ids) reported.current.add(id)
    if (ids.length > 0) delivered.mutate({ body: { ids } })
  })

  useEffect(() => {
    if (!data) return
    const paths = { alarms: [deskPath, taskPath], incidents: incidentPath }
    report(data.flatMap(({ id, state }) => (state === 'SENT' && !reported.current.has(id) ? id : [])))
    const wanted = newestOf(data)
      .filter((message) => !isShownByPage(message, pathname, paths))
      .slice(0, isMedium ? MAX_SHOWN : MAX_SHOWN_PHONE)
    for (const id of shown.current) if (!wanted.some((message) => message.id === id)) close(id)
    for (const message of wanted) if (!shown.current.has(message.id)) show(message)
  }, [data, pathname, deskPath, taskPath, incidentPath, isMedium])
  return null
}

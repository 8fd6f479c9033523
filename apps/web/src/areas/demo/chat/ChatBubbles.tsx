import type { TalkMessage } from '@tocsin/contract/demo/talk'
import { Empty, Tag } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#ui/time.ts'
import './chat.css'

/** Messages of this page itself, such as "connected". */
export type SystemMessage = { key: string; at: Date; text: string }

type Line = { key: string; at: Date } & ({ kind: 'system'; text: string } | { kind: 'message'; message: TalkMessage })

const ChatBubble = ({ message, mine }: { message: TalkMessage; mine: boolean }) => {
  const { t } = useTranslation()
  const { fromName, toUserId, toName, text, at } = message
  return (
    <li className="talk-line" data-kind={mine ? 'own' : 'other'}>
      <span className="talk-who">
        {mine ? t('demo.talkMe') : fromName} · {formatTime(at)}{' '}
        {toUserId !== null && <Tag color="purple">{t('demo.talkPrivate', { name: toName ?? '' })}</Tag>}
      </span>
      <span className="talk-text">{text}</span>
    </li>
  )
}

type Props = { messages: readonly TalkMessage[]; said: readonly SystemMessage[]; userId: number | undefined }

/** Shows own messages at the end side, others at the start, system messages in the middle; scrolls to the latest. */
export const ChatBubbles = ({ messages, said, userId }: Props) => {
  const { t } = useTranslation()
  const box = useRef<HTMLUListElement>(null)
  const lines: Line[] = [
    ...messages.map((message): Line => ({ key: `m${message.id}`, at: message.at, kind: 'message', message })),
    ...said.map((item): Line => ({ ...item, kind: 'system' })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const last = lines.at(-1)?.key
  useEffect(() => {
    if (last) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [last])
  if (lines.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('demo.talkNone')} />
  return (
    <ul ref={box} className="talk-lines" aria-label={t('demo.talkMessages')} aria-live="polite" tabIndex={0}>
      {lines.map((line) =>
        line.kind === 'system' ? (
          <li key={line.key} className="talk-line" data-kind="system">
            {line.text} · {formatTime(line.at)}
          </li>
        ) : (
          <ChatBubble key={line.key} message={line.message} mine={line.message.fromUserId === userId} />
        ),
      )}
    </ul>
  )
}

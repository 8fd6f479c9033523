import { demoTalks, type TalkPerson } from '@tocsin/contract/demo/talk'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Form, Input, Select, Tag } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { ChatBubbles, type SystemMessage } from './ChatBubbles.tsx'
import { endpointOf, ownEndpoint, useConnection } from './connection.ts'
import '../demo.css'

type Connection = ReturnType<typeof useConnection>

const Status = ({ wanted, live }: Connection) => {
  const { t } = useTranslation()
  if (live) return <Tag color="green">{t('demo.talkLive')}</Tag>
  return wanted !== undefined ? <Tag color="orange">{t('demo.talkTrying')}</Tag> : <Tag>{t('demo.talkOff')}</Tag>
}

const Connecting = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const { wanted, connect, disconnect } = connection
  const submit = ({ endpoint }: { endpoint: string }) => {
    const own = ownEndpoint(endpoint, location)
    if (own !== undefined) connect(own)
  }
  const rule = {
    validator: async (_: unknown, text: string) => {
      if (ownEndpoint(text, location) === undefined) throw new Error(t('demo.talkForeign', { host: location.host }))
    },
  }
  return (
    <Card size="small" title={t('demo.talkConnection')} extra={<Status {...connection} />}>
      <Form
        layout="vertical"
        name="talk-to"
        initialValues={{ endpoint: endpointOf(location) }}
        onFinish={submit}
        validateTrigger="onSubmit"
      >
        <Form.Item name="endpoint" label={t('demo.talkEndpoint')} extra={t('demo.talkEndpointHelp')} rules={[rule]}>
          <Input readOnly={wanted !== undefined} maxLength={500} inputMode="url" spellCheck={false} />
        </Form.Item>
        <Flex gap="small">
          <Button type="primary" htmlType="submit" disabled={wanted !== undefined}>
            {t('demo.talkConnect')}
          </Button>
          <Button disabled={wanted === undefined} onClick={disconnect}>
            {t('demo.talkDisconnect')}
          </Button>
        </Flex>
      </Form>
    </Card>
  )
}

type SendProps = { live: boolean; title: string; people?: readonly TalkPerson[] }

/** To all users, or to a selected one of `people`. */
const Sending = ({ live, title, people }: SendProps) => {
  const { t } = useTranslation()
  const [form] = Form.useForm<{ text: string; toUserId?: number }>()
  const send = useApiMutation(demoTalks.send)
  const submit = ({ text, toUserId }: { text: string; toUserId?: number }) =>
    send.mutate({ body: { text, ...(toUserId && { toUserId }) } }, { onSuccess: () => form.resetFields(['text']) })
  const required = [{ required: true, whitespace: true, message: t('demo.talkNeeded') }]
  return (
    <Card size="small" title={title}>
      <Form form={form} layout="vertical" disabled={!live} onFinish={submit} name={people ? 'talk-one' : 'talk-all'}>
        {people && (
          <Form.Item name="toUserId" label={t('demo.talkTo')} rules={[{ required: true, message: t('demo.talkWhom') }]}>
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              options={people.map(({ userId, nickname }) => ({ value: userId, label: nickname }))}
              notFoundContent={t('demo.talkNobody')}
            />
          </Form.Item>
        )}
        <Form.Item name="text" label={t('demo.talkText')} rules={required}>
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 5 }} />
        </Form.Item>
        <Button htmlType="submit" type="primary" loading={send.isPending}>
          {t('demo.talkSend')}
        </Button>
      </Form>
    </Card>
  )
}

/** Changes since the last update, as lines between the messages. */
const useSaid = (live: boolean, people: readonly TalkPerson[] | undefined) => {
  const { t } = useTranslation()
  const [said, setSaid] = useState<readonly SystemMessage[]>([])
  const before = useRef<{ live: boolean; people: readonly TalkPerson[] }>({ live: false, people: [] })
  const count = useRef(0)
  useEffect(() => {
    const last = before.current
    const now = live ? (people ?? last.people) : []
    before.current = { live, people: now }
    const gone = (all: readonly TalkPerson[], from: readonly TalkPerson[]) =>
      all.filter(({ userId }) => !from.some((item) => item.userId === userId))
    const lines = [
      ...(live && !last.live ? [t('demo.talkOpened')] : []),
      ...(!live && last.live ? [t('demo.talkClosed')] : []),
      ...(live ? gone(now, last.people).map(({ nickname }) => t('demo.talkCame', { name: nickname })) : []),
      ...(live && last.live
        ? gone(last.people, now).map(({ nickname }) => t('demo.talkLeft', { name: nickname }))
        : []),
    ]
    if (lines.length === 0) return
    const at = new Date()
    setSaid((all) => [...all, ...lines.map((text) => ({ key: `s${(count.current += 1)}`, at, text }))].slice(-50))
  }, [live, people, t])
  return said
}

/** A chat of two browsers over the console's websocket, on a topic of its own. */
export const ChatPage = () => {
  const { t } = useTranslation()
  const connection = useConnection()
  const { live } = connection
  const maySend = useHasPermission('demo:talk:send')
  const userId = useSession(({ user }) => user?.id)
  const { data: messages = [] } = useQuery({ ...queryFor(demoTalks.list), enabled: live })
  const { data: people } = useQuery({ ...queryFor(demoTalks.people), enabled: live })
  const said = useSaid(live, people)
  return (
    <div className="demo-cards demo-halves">
      <Flex vertical gap="middle">
        <Connecting connection={connection} />
        {maySend && <Sending live={live} title={t('demo.talkAll')} />}
        {maySend && <Sending live={live} title={t('demo.talkOne')} people={people ?? []} />}
      </Flex>
      <Card size="small" title={t('demo.talkMessages')}>
        <ChatBubbles messages={messages} said={said} userId={userId} />
      </Card>
    </div>
  )
}

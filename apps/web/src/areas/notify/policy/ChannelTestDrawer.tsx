import { notifyPolicies, type PolicyChoices } from '@tocsin/contract/notify/policy'
import { Button, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

type Props = { choices: PolicyChoices | undefined; onClose: () => void }

/** Sends one message to the user by one channel; the result is in the list of deliveries. */
export const ChannelTestDrawer = ({ choices, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const test = useApiMutation(notifyPolicies.test)
  const send = (channel: PolicyChoices['channels'][number]['channel'], name: string) =>
    test.mutate({ body: { channel } }, { onSuccess: () => notify.success(t('policy.testSent', { name })) })
  return (
    <ReadDrawer size="min(560px, 100vw)" title={t('policy.testTitle')} onClose={onClose}>
      <Flex vertical gap="middle">
        {(choices?.channels ?? []).map(({ channel, configured }) => {
          const name = enumLabel('deliveryChannel', channel, lang)
          return (
            <Flex key={channel} justify="space-between" align="center" gap="small" wrap>
              <Flex vertical gap={4} align="start">
                <Typography.Text strong>{name}</Typography.Text>
                <ToneTag tone={configured ? 'done' : 'calm'}>
                  {t(configured ? 'policy.configured' : 'policy.missing')}
                </ToneTag>
              </Flex>
              <Button disabled={!configured} loading={test.isPending} onClick={() => send(channel, name)}>
                {t('policy.testSend')}
              </Button>
            </Flex>
          )
        })}
      </Flex>
    </ReadDrawer>
  )
}

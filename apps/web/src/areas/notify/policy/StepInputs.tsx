import { deliveryChannels, type DeliveryChannel } from '@tocsin/contract/notify/delivery'
import type { PolicyChoices, PolicyTarget } from '@tocsin/contract/notify/policy'
import { postTypes } from '@tocsin/contract/security/post'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { findTargetName, formatTarget, parseTarget } from './targets.ts'

type InputProps<V> = { value?: V; onChange?: (value: V) => void; id?: string; choices: PolicyChoices | undefined }

/** Roles, users, posts and the station in one list. */
export const TargetSelect = ({ value = [], onChange, id, choices }: InputProps<PolicyTarget[]>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const word = (kind: PolicyTarget['kind']) => enumLabel('targetKind', kind, lang)
  const unknown = value.flatMap((target) =>
    target.kind === 'USER' && findTargetName(target, choices) === undefined
      ? [{ value: formatTarget(target), label: t('policy.person', { id: target.userId }) }]
      : [],
  )
  const options = [
    {
      label: word('POST'),
      options: postTypes.map((type) => ({
        value: `POST:${type}`,
        label: t('policy.onShift', { type: enumLabel('postType', type, lang) }),
      })),
    },
    { label: word('STATION'), options: [{ value: 'STATION', label: word('STATION') }] },
    {
      label: word('ROLE'),
      options: (choices?.roles ?? []).map(({ code, name }) => ({ value: `ROLE:${code}`, label: name })),
    },
    {
      label: word('USER'),
      options: [...(choices?.users ?? []).map((user) => ({ value: `USER:${user.id}`, label: user.name })), ...unknown],
    },
  ]
  return (
    <Select
      mode="multiple"
      {...(id && { id })}
      value={value.map(formatTarget)}
      onChange={(chosen: string[]) => onChange?.(chosen.map(parseTarget))}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('list.choose')}
    />
  )
}

/** Channels in the order in which they are used. */
export const ChannelSelect = ({ value, onChange, id, choices }: InputProps<DeliveryChannel[]>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const options = deliveryChannels.map((channel) => {
    const name = enumLabel('deliveryChannel', channel, lang)
    const isMissing = choices?.channels.some((item) => item.channel === channel && !item.configured)
    return { value: channel, label: isMissing ? t('policy.notConfigured', { name }) : name }
  })
  return (
    <Select
      mode="multiple"
      {...(id && { id })}
      {...(value && { value })}
      {...(onChange && { onChange })}
      options={options}
      placeholder={t('list.choose')}
    />
  )
}

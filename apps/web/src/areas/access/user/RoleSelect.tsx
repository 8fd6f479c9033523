import { roles } from '@tocsin/contract/access/rights/role'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

type Props = SelectProps<number[]> & {
  /** Roles the form already has; one that is disabled is not offered anew. */
  present?: readonly { id: number; name: string }[]
}

export const useRoles = () => useQuery(queryFor(roles.simpleList))

/** Several of the enabled roles. */
export const RoleSelect = ({ present = [], ...rest }: Props) => {
  const { t } = useTranslation()
  const { data = [], isFetching } = useRoles()
  const options = [...data, ...present.filter(({ id }) => data.every((one) => one.id !== id))]
  return (
    <Select<number[]>
      mode="multiple"
      loading={isFetching}
      options={options.map(({ id, name }) => ({ value: id, label: name }))}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('user.noRoles')}
      {...rest}
    />
  )
}
